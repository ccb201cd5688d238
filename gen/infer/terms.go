package infer

// This file settles what a call may change, where it happens, and what else holds for it. A row's
// own fields count first; what nothing says is taken to be the worst case.

import (
	"net/url"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

func (b *builder) effect() (contract.Effect, contract.Provenance, source) {
	switch declared := contract.Effect(strings.ToLower(b.row.Effect)); declared {
	case "":
	case contract.Read, contract.Irreversible:
		return declared, contract.FromSchema, source{"effect", b.row.Effect}
	case contract.Reversible:
		if strings.TrimSpace(b.row.Undo) != "" {
			return declared, contract.FromSchema, source{"effect", b.row.Effect}
		}
		b.fail("effect", "declared as reversible without an undo; it is taken as irreversible", "name the row that restores it in \"undo\"")
		return contract.Irreversible, contract.FromNone, source{}
	default:
		b.fail("effect", "no effect is called \""+short(b.row.Effect)+"\"; it is taken as irreversible", "write read, reversible or irreversible")
		return contract.Irreversible, contract.FromNone, source{}
	}
	switch {
	case b.shape.method == "GET" || b.shape.method == "HEAD":
		return contract.Read, contract.FromTemplate, source{"target", b.shape.method}
	case b.row.Docs.Safe:
		return contract.Read, contract.FromArgs, source{"content", "# SAFE"}
	}
	return contract.Irreversible, contract.FromNone, source{}
}

func (b *builder) placement() contract.Placement {
	switch declared := contract.Placement(strings.ToLower(b.row.Placement)); declared {
	case contract.Pure, contract.Remote, contract.Local:
		return declared
	case "":
	default:
		b.fail("placement", "no placement is called \""+short(b.row.Placement)+"\"; the row's type decides", "write pure, remote or local")
	}
	switch b.row.Type {
	case directory.Fn:
		return contract.Pure
	case directory.CLI:
		return contract.Local
	}
	return contract.Remote
}

func (b *builder) idempotency() (contract.Idempotency, contract.Provenance) {
	switch declared := contract.Idempotency(strings.ToLower(b.row.Idempotency)); declared {
	case contract.IdempotencyNone, contract.IdempotencyHeader, contract.IdempotencyArgument:
		return declared, contract.FromSchema
	case "":
	default:
		b.fail("idempotency", "no idempotency is called \""+short(b.row.Idempotency)+"\"; it is taken as none", "write none, header or argument")
		return contract.IdempotencyNone, contract.FromNone
	}
	for name := range b.row.Headers {
		if strings.EqualFold(name, "Idempotency-Key") {
			return contract.IdempotencyHeader, contract.FromTemplate
		}
	}
	if b.row.Docs.Idempotent && b.row.Type == directory.HTTP {
		return contract.IdempotencyHeader, contract.FromArgs
	}
	return contract.IdempotencyNone, contract.FromNone
}

// destinations are the origins a call talks to. A slot or secret in the origin leaves them unknown.
func (b *builder) destinations() []string {
	if b.row.Type == directory.HTTP || b.shape.method != "" {
		if b.shape.origin == "" {
			if b.shape.bound {
				b.warn("destinations", "the origin holds a slot or secret, so the destination is not known", "write the origin out; a grant names it")
			}
			return nil
		}
		return origins(b.shape.origin)
	}
	if b.row.Type == directory.Agent || b.row.Type == directory.Dispatch || b.row.Type == directory.MCP {
		target := strings.TrimSpace(b.row.Target)
		if method, rest, ok := strings.Cut(target, " "); ok && strings.EqualFold(method, "POST") {
			target = strings.TrimSpace(rest)
		}
		return origins(target)
	}
	return nil
}

func origins(target string) []string {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(u.Host, "$%") {
		return nil
	}
	host := strings.ToLower(u.Host)
	if port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; strings.HasSuffix(host, port) {
		host = strings.TrimSuffix(host, port)
	}
	return []string{u.Scheme + "://" + host}
}

// secretFields finds what a schema marks as password or write-only. A field inside a list marks the
// whole list: a pointer names one place.
func secretFields(o *object, at string, out []string, depth int) []string {
	props := o.object("properties")
	for _, name := range props.names() {
		sub, ok := props.values[name].(*object)
		if !ok || depth > 20 {
			continue
		}
		pointer := at + "/" + contract.EscapeToken(name)
		if isSecret(sub) || hidesSecret(sub, depth) {
			out = append(out, pointer)
			continue
		}
		out = secretFields(sub, pointer, out, depth+1)
	}
	return out
}

func isSecret(o *object) bool { return o.text("format") == "password" || o.values["writeOnly"] == true }

func hidesSecret(o *object, depth int) bool {
	items := o.object("items")
	return items != nil && (isSecret(items) || len(secretFields(items, "", nil, depth+1)) > 0)
}

var referenceMapping = compile(`^([^\s=]+)=(/(?:args|result)(?:/[^\s]*)?)$`)

// reference reads "KEY" or "KEY#operation", with "arg=/result/id" after it. The name is the row's
// key until the generator knows the names.
func (b *builder) reference(field, text string) *contract.Reference {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil
	}
	ref := &contract.Reference{Name: words[0]}
	for _, w := range words[1:] {
		m := referenceMapping.FindStringSubmatch(w)
		if m == nil {
			b.fail(field, "\""+short(w)+"\" is no argument mapping", "write KEY arg=/result/id other=/args/id")
			return nil
		}
		if ref.Args == nil {
			ref.Args = map[string]string{}
		}
		ref.Args[m[1]] = m[2]
	}
	return ref
}
