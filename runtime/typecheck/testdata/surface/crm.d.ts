declare namespace Tools {
  /** People and companies. */
  interface crm {
    /** Contacts that match, newest first. */
    listContacts(args: { query?: string; limit?: number; sort?: "name" | "created" }): Promise<{ id: string; name: string; email?: string; tags: string[]; owner?: { id: string; name: string } }[]>;
    getContact(args: { id: string }): Promise<{ id: string; name: string; email?: string; phone?: string | null; score: number; status: "lead" | "active" | "lost"; company?: { id: string; name: string }; address: { city: string; country: string } }>;
    createContact(args: { name: string; email: string; tags?: string[]; status?: "lead" | "active" | "lost"; address?: { city: string; country?: string } }): Promise<{ id: string }>;
    updateContact(args: { id: string; patch: { name?: string; email?: string; score?: number; status?: "lead" | "active" | "lost" } }): Promise<{ ok: boolean }>;
    deleteContact(args: { id: string }): Promise<void>;
    countContacts(): Promise<number>;
    findByAny(args: { by: { kind: "email"; email: string } | { kind: "id"; id: string } }): Promise<{ ok: true; contact: crm.findByAny.Contact } | { ok: false; reason: string }>;
    bulk(args: { contacts: { name: string; email: string }[]; mode: "insert" | "upsert" }): Promise<{ inserted: number; failed: { index: number; reason: string }[] }>;
    near(args: { at: [number, number]; radius: number }): Promise<crm.near.Contact[]>;
  }
  namespace crm {
    namespace near {
      interface Contact { id: string; name: string; email?: string; knows?: Contact[] }
    }
    namespace findByAny {
      type Contact = { id: string; name: string; email?: string };
    }
  }
  interface $package {
    "new"(args: { "max-size"?: number; name: string }): Promise<{ "tracking-id": string; parts: $package.$new.Part[] }>;
  }
  namespace $package {
    namespace $new {
      interface Part { sku: string; parts?: Part[] }
    }
  }
}
