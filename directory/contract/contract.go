// Package contract is the leaf every other package shares: the typed, versioned and hashed
// description of one operation that a directory row offers.
//
//	c := contract.Contract{Key: "CRM_LIST", Name: "crm.list", Version: 1, Effect: contract.Read}
//	if err := c.Seal(); err != nil { ... }   // canonical bytes -> c.Digest
//
// JSON Schema (2020-12) is the one type language inside: Params and Result are schema documents.
// The package imports the standard library only. It does not infer, validate or emit.
package contract

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"unicode/utf8"
)

// Contract describes one callable operation. All fields but Digest enter the digest, so every
// field is present from the first version on, also those that few rows use.
type Contract struct {
	// Key is the row's key; Operation names the entry of a target_map row, else "".
	Key       string `json:"key"`
	Operation string `json:"operation,omitempty"`
	// Name is what a script calls: "namespace.method". Unique within a directory.
	Name string `json:"name"`
	// Version is the row's version, at least 1.
	Version int `json:"version"`

	Description string    `json:"description,omitempty"`
	WhenToUse   string    `json:"when_to_use,omitempty"`
	Notes       []string  `json:"notes,omitempty"`
	Examples    []Example `json:"examples,omitempty"`
	Deprecated  string    `json:"deprecated,omitempty"`

	// Params is an object schema; its properties are the named arguments. Positional lists the
	// parameter that fills $1, $2 ... of the row's template, in that order.
	Params     json.RawMessage `json:"params"`
	Positional []string        `json:"positional,omitempty"`
	// Result is the schema of a successful result. Schema true means unknown.
	Result json.RawMessage `json:"result"`

	Effect      Effect      `json:"effect"`
	Placement   Placement   `json:"placement"`
	Idempotency Idempotency `json:"idempotency"`
	// Readback, Precondition and Undo refer to other contracts of the same directory.
	Readback     *Reference `json:"readback,omitempty"`
	Precondition *Reference `json:"precondition,omitempty"`
	Undo         *Reference `json:"undo,omitempty"`
	// Destinations are the origins ("https://host:port") the operation talks to, sorted.
	Destinations []string `json:"destinations,omitempty"`
	// Sensitive are JSON Pointers into the arguments ("/password") of which only digests may reach
	// a journal, a preview or a receipt, sorted.
	Sensitive []string `json:"sensitive,omitempty"`
	// Auth names the credential the invoker attaches; never a secret itself.
	Auth string `json:"auth,omitempty"`

	// Source is "sha256:<hex>" over what decides a call beside its arguments: the row's type, target,
	// template, headers and credential, of a flow also the Source of what its steps call. Two versions
	// with one Source send the same for the same arguments; of what documents a row nothing is in it. It
	// holds no secret: a row names secrets, and the generator knows none. "" where it is not known, as in
	// contracts that an older generator made.
	Source string `json:"source,omitempty"`

	// Provenance says where each field came from. Keys: "name", "description", "effect",
	// "params", "params/<arg>", "params/<arg>/type", "params/<arg>/required", "result", ...
	Provenance map[string]Provenance `json:"provenance,omitempty"`

	// Digest is "sha256:<hex>" over the canonical JSON of all the other fields.
	Digest string `json:"digest"`
}

// Example is one worked call, as the row documents it.
type Example struct {
	Text string          `json:"text,omitempty"` // as written
	Args json.RawMessage `json:"args,omitempty"` // bound by name, where it could be read
}

// Reference points from one contract to another, mapping arguments by JSON Pointer:
// Args["id"] = "/args/id" or "/result/id".
type Reference struct {
	Name string            `json:"name"`
	Args map[string]string `json:"args,omitempty"`
}

// Seal computes Digest from the other fields.
func (c *Contract) Seal() error {
	_, err := c.SealText()
	return err
}

// SealText is Seal, and returns the sealed contract's compact JSON: whoever writes it too need not encode
// it twice.
func (c *Contract) SealText() ([]byte, error) {
	text, err := c.unsealed()
	if err != nil {
		return nil, err
	}
	sum, err := c.digestOf(text)
	if err != nil {
		return nil, err
	}
	c.Digest = sum
	text = append(text[:len(text)-len(`"}`)], sum...) // the digest is the last field
	return append(text, `"}`...), nil
}

// Sealed reports whether Digest matches the other fields.
func (c Contract) Sealed() bool {
	text, err := c.unsealed()
	if err != nil {
		return false
	}
	sum, err := c.digestOf(text)
	return err == nil && sum == c.Digest
}

// unsealed is the compact JSON of a contract with an empty digest.
func (c Contract) unsealed() ([]byte, error) {
	c.Digest = ""
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false) // canonical text has no such escapes
	if err := enc.Encode(c); err != nil {
		return nil, fmt.Errorf("contract %s: %w", c.Name, err)
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// digestOf is the digest of a contract by its text without one.
func (c Contract) digestOf(raw []byte) (string, error) {
	if bytes.Contains(raw, []byte(`\ufffd`)) { // how encoding/json writes a byte that is no text
		if at, ok := notUTF8(reflect.ValueOf(c), "contract"); ok {
			return "", fmt.Errorf("contract %q: text at %s is not valid UTF-8", c.Name, at)
		}
	}
	err := wellEncoded(raw)
	if err != nil {
		return "", fmt.Errorf("contract %s: %w", c.Name, err)
	}
	canonical, err := canonicalOf(raw)
	if err != nil {
		return "", fmt.Errorf("contract %s: %w", c.Name, err)
	}
	return Digest(canonical), nil
}

// notUTF8 finds text that encoding/json would replace, so that two different contracts would share
// their bytes. JSON fields are bytes, not text, and are left to Canonical.
func notUTF8(v reflect.Value, at string) (string, bool) {
	switch v.Kind() {
	case reflect.String:
		return at, !utf8.ValidString(v.String())
	case reflect.Pointer:
		if !v.IsNil() {
			return notUTF8(v.Elem(), at)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if where, bad := notUTF8(v.Field(i), at+"."+v.Type().Field(i).Name); bad {
				return where, true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if where, bad := notUTF8(v.Index(i), at+"[]"); bad {
				return where, true
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if where, bad := notUTF8(key, at+"[]"); bad {
				return where, true
			}
			if where, bad := notUTF8(v.MapIndex(key), at+"[]"); bad {
				return where, true
			}
		}
	}
	return "", false
}

// Digest is "sha256:" and the lower-case hex SHA-256 of b: the one form of digest in the project.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
