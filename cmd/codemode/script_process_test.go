package main

// This file holds what the end-to-end tests do with processes and files of other programs.

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// hold keeps a writer's lock on a SQLite file.
func hold(file, ready string) error {
	ctx := context.Background()
	db, err := sql.Open("sqlite", file) // the driver that the store registers
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		return err
	}
	if err := os.WriteFile(ready, nil, 0o644); err != nil {
		return err
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
	return errors.Join(conn.Close(), db.Close())
}

// passSignals runs a command and hands interrupts on to it. A command that fails is no error.
func passSignals(cmd *exec.Cmd) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		for s := range interrupts {
			_ = cmd.Process.Signal(s) // it may have ended
		}
	}()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}
