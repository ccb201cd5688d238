package learn

// This file writes what was learnt as it stands in observed.json.

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"codemode/directory"
)

// File is the text of observed.json: rows sorted, schema, summary and recordings on a line each, so that a review
// shows what changed.
func File(all map[string]directory.Observation) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("{")
	for i, ref := range slices.Sorted(maps.Keys(all)) {
		if i > 0 {
			out.WriteString(",")
		}
		for _, piece := range []struct {
			lead  string
			value any
		}{{"\n", ref}, {": {\"results\": ", all[ref].Results}, {",\n  \"schema\": ", all[ref].Schema}, {",\n  \"seen\": ", all[ref].Seen}, {",\n  \"recordings\": ", all[ref].Recordings}} {
			if list, ok := piece.value.([]string); ok && len(list) == 0 {
				continue
			}
			text, err := compact(piece.value)
			if err != nil {
				return nil, err
			}
			out.WriteString(piece.lead)
			out.Write(text)
		}
		out.WriteString("}")
	}
	out.WriteString("\n}\n")
	return out.Bytes(), nil
}

func compact(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}
