package typecheck

// This file holds the questions asked of the compiler about one snapshot, each a method of its API
// (internal/api/proto.go of the compiler at the pinned version).

import "strings"

// finding is one diagnostic as the compiler reports it; pos and end are UTF-16 offsets.
type finding struct {
	File     string     `json:"fileName"`
	Pos      uint32     `json:"pos"`
	End      uint32     `json:"end"`
	Code     int        `json:"code"`
	Category int        `json:"category"`
	Text     string     `json:"text"`
	Chain    []*finding `json:"messageChain"`
}

// categoryError is the category of an error; the others are hints for editors.
const categoryError = 1

// Type flags (TypeFlags of TypeScript 7.0.2) that the rules look at.
const (
	flagAny        = 1 << 0
	flagUnknown    = 1 << 1
	flagUndefined  = 1 << 2
	flagNull       = 1 << 3
	flagVoid       = 1 << 4
	flagNever      = 1 << 18
	flagNonPrim    = 1 << 17
	flagObject     = 1 << 20
	flagUnion      = 1 << 27
	flagIntersect  = 1 << 28
	flagsBase      = 1<<5 | 1<<6 | 1<<7 | 1<<8 // string number bigint boolean
	flagsLiteral   = 1<<10 | 1<<11 | 1<<12 | 1<<13
	flagsTemplate  = 1<<22 | 1<<23
	flagsNullable  = flagUndefined | flagNull | flagVoid
	flagsPrimitive = flagsBase | flagsLiteral | flagsTemplate | 1<<9 | 1<<14 | 1<<15 | 1<<16

	flagsNumber = 1<<6 | 1<<11

	objectMapped   = 1 << 5
	symbolOptional = 1 << 24
	symbolValue    = 111551
)

// typ and symbol are handles into the compiler; a nil pointer is "none".
type typ struct {
	ID        int64   `json:"id"`
	Flags     uint32  `json:"flags"`
	Object    uint32  `json:"objectFlags"`
	AliasArgs []int64 `json:"aliasTypeArguments"`
	Symbol    int64   `json:"symbol"`
}

func (t *typ) is(flags uint32) bool { return t != nil && t.Flags&flags != 0 }

type symbol struct {
	ID           int64    `json:"id"`
	Name         string   `json:"name"`
	Flags        uint32   `json:"flags"`
	Declarations []string `json:"declarations"`
	Parent       int64    `json:"parent"`
}

type signature struct {
	ID          int64  `json:"id"`
	Declaration string `json:"declaration"`
}

// params are the parameters of one question; every question names the snapshot and the project.
func (s snapshot) params(more map[string]any) map[string]any {
	p := map[string]any{"snapshot": s.id, "project": s.project}
	for k, v := range more {
		p[k] = v
	}
	return p
}

func (s snapshot) file(method, file string, into any) request {
	return request{method, s.params(map[string]any{"file": file}), into}
}

func ask[T any](s snapshot, method string, more map[string]any) (T, error) {
	var reply T
	err := s.conn.call(method, s.params(more), &reply)
	return reply, err
}

func (s snapshot) typeAt(location string) (*typ, error) {
	return ask[*typ](s, "getTypeAtLocation", map[string]any{"location": location})
}

func (s snapshot) wanted(location string) (*typ, error) {
	return ask[*typ](s, "getContextualType", map[string]any{"location": location})
}

func (s snapshot) called(location string) (*signature, error) {
	return ask[*signature](s, "getResolvedSignature", map[string]any{"location": location})
}

func (s snapshot) returns(sig *signature) (*typ, error) {
	return ask[*typ](s, "getReturnTypeOfSignature", map[string]any{"signature": sig.ID})
}

func (s snapshot) symbolOf(t *typ) (*symbol, error) {
	if t == nil || t.Symbol == 0 {
		return nil, nil
	}
	return ask[*symbol](s, "getSymbolOfType", map[string]any{"objectId": t.ID})
}

func (s snapshot) parts(t *typ) ([]*typ, error) {
	return ask[[]*typ](s, "getTypesOfType", map[string]any{"objectId": t.ID})
}

func (s snapshot) aliasArguments(t *typ) ([]*typ, error) {
	return ask[[]*typ](s, "getAliasTypeArgumentsOfType", map[string]any{"objectId": t.ID})
}

func (s snapshot) arguments(t *typ) ([]*typ, error) {
	return ask[[]*typ](s, "getTypeArguments", map[string]any{"type": t.ID})
}

func (s snapshot) nonNull(t *typ) (*typ, error) {
	return ask[*typ](s, "getNonNullableType", map[string]any{"type": t.ID})
}

func (s snapshot) propertyOf(t *typ, name string) (*symbol, error) {
	return ask[*symbol](s, "getPropertyOfType", map[string]any{"type": t.ID, "name": name})
}

func (s snapshot) propertiesOf(t *typ) ([]*symbol, error) {
	return ask[[]*symbol](s, "getPropertiesOfType", map[string]any{"type": t.ID})
}

func (s snapshot) typeOf(sym *symbol) (*typ, error) {
	return ask[*typ](s, "getTypeOfSymbol", map[string]any{"symbol": sym.ID})
}

func (s snapshot) assignable(from, to *typ) (bool, error) {
	return ask[bool](s, "isTypeAssignableTo", map[string]any{"source": from.ID, "target": to.ID})
}

func (s snapshot) isArray(t *typ) (bool, error) {
	array, err := ask[bool](s, "isArrayType", map[string]any{"type": t.ID})
	if err != nil || array {
		return array, err
	}
	return ask[bool](s, "isTupleType", map[string]any{"type": t.ID})
}

// global returns the global value of that name, nil for none.
func (s snapshot) global(name string) (*symbol, error) {
	return ask[*symbol](s, "resolveName", map[string]any{"name": name, "meaning": symbolValue})
}

// encodedTree is the reply to getSourceFile.
type encodedTree struct {
	Data string `json:"data"` // base64
}

func (s snapshot) tree(file string) (*tree, error) {
	reply, err := ask[encodedTree](s, "getSourceFile", map[string]any{"file": file})
	if err != nil {
		return nil, err
	}
	return s.decode(file, reply)
}

func (s snapshot) decode(file string, e encodedTree) (*tree, error) {
	if s.foldCase {
		file = strings.ToLower(file)
	}
	return decodeTree(file, e.Data)
}
