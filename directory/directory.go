// Package directory is rows as data: loading them from files, linting them, and the documentation
// lines in their content.
//
//	dir, err := directory.Load("rows.jsonl", directory.LoadOptions{})
//	for _, row := range dir.Rows { fmt.Println(row.Key, row.Description) }
//	for _, f := range directory.Lint(dir) { fmt.Println(f) }
//
// It does not infer contracts (package gen/infer does) and calls nothing.
package directory

// Directory is a loaded set of rows with what was wrong about those that could not be loaded.
type Directory struct {
	// Rows are sorted by key, each key once.
	Rows []Row
	// Findings name the entries that were left out, and why.
	Findings []Finding
}

// Finding is one remark about a place in a directory.
type Finding struct {
	File     string   `json:"file"`
	Line     int      `json:"line"` // from 1
	Key      string   `json:"key,omitempty"`
	Severity Severity `json:"severity"`
	// Rule is the finding's stable name: "missing_description", "malformed_row", ...
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Severity orders findings.
type Severity string

const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Row returns the row with the key.
func (d *Directory) Row(key string) (Row, bool) {
	for i := range d.Rows {
		if d.Rows[i].Key == key {
			return d.Rows[i], true
		}
	}
	return Row{}, false
}
