//go:build !linux

package main

import "os"

func kernelRelease() string { return "" }

// writable opens what can be opened without a change; a folder's rights are left to the store itself.
func writable(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

func freeBytes(string) (int64, bool) { return 0, false }
