package main

// This file holds what codemode diff reads as one of the two versions.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen/diff"
	"codemode/runtime/assemble"
)

// contractsName is the file that codemode gen writes contracts to.
const contractsName = "contracts.json"

// version is one side of the comparison.
type version struct {
	contracts []contract.Contract
	remarks   []diff.Remark     // what the generator has to say of them, where it made them
	places    map[string]string // "file:line" of their rows by directory.Reference, likewise
}

// versionAt reads the contracts of a contracts.json or of a folder that codemode gen wrote, else makes
// them of rows. A folder with a contracts.json among rows is neither for certain: the service runs the
// rows, and the contracts may say what they like.
func versionAt(path string) (version, error) {
	info, err := os.Stat(path)
	if err != nil {
		return version{}, &exitError{exitUsage, err.Error()}
	}
	if !info.IsDir() {
		text, err := readFile(path, maxContractsBytes)
		if err != nil {
			return version{}, &exitError{exitUsage, err.Error()}
		}
		if isContracts(text) {
			return parseVersion(path, text)
		}
		return generatedVersion(path)
	}
	file := filepath.Join(path, contractsName)
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return generatedVersion(path)
	}
	rows, err := rowFileBelow(path)
	if err != nil {
		return version{}, &exitError{exitUsage, err.Error()}
	}
	if rows != "" {
		return version{}, &exitError{exitUsage, fmt.Sprintf("%s holds both a %s and %s, which may hold rows: name the file to compare, or take one of the two out of the folder", path, contractsName, rows)}
	}
	text, err := readFile(file, maxContractsBytes)
	if err != nil {
		return version{}, &exitError{exitUsage, err.Error()}
	}
	return parseVersion(file, text)
}

// rowFileBelow finds a file beside contracts.json that directory.Load would read; "" for none.
func rowFileBelow(folder string) (string, error) {
	found := ""
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != folder && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case entry.Type().IsRegular() && name != filepath.Join(folder, contractsName) && slices.Contains([]string{".jsonl", ".ndjson", ".json"}, strings.ToLower(filepath.Ext(name))):
			found = name
			return fs.SkipAll
		}
		return nil
	})
	return found, err
}

// parseVersion reads contracts. A field that no contract has is refused: a file may not be contracts
// here and rows to the service.
func parseVersion(file string, text []byte) (version, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var v version
	err := dec.Decode(&v.contracts)
	if err == nil && !json.Valid(text) {
		err = errors.New("text after the list")
	}
	if err != nil {
		return version{}, &exitError{exitUsage, fmt.Sprintf("%s holds no contracts: %v", file, err)}
	}
	return v, nil
}

func generatedVersion(path string) (version, error) {
	dir, output, err := assemble.Generate(path, false)
	if err != nil {
		return version{}, err
	}
	v := version{contracts: output.Contracts, places: map[string]string{}}
	for _, d := range output.Diagnostics {
		v.remarks = append(v.remarks, diff.Remark{Row: directory.Reference(d.Key, d.Operation), Field: d.Field, Message: d.Message})
	}
	rows := map[string]string{}
	for _, row := range dir.Rows {
		rows[row.Key] = fmt.Sprintf("%s:%d", row.File, row.Line)
	}
	for _, c := range v.contracts {
		v.places[directory.Reference(c.Key, c.Operation)] = rows[c.Key]
	}
	return v, nil
}

// isContracts tells an array of contracts from an array of rows.
func isContracts(text []byte) bool {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		return false
	}
	var first struct {
		Digest string          `json:"digest"`
		Params json.RawMessage `json:"params"`
	}
	return len(list) == 0 || json.Unmarshal(list[0], &first) == nil && first.Digest != "" && first.Params != nil
}
