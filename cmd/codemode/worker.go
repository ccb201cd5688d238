package main

import "fmt"

const workerCommand = "__worker"

func workerMain(args []string) int { fmt.Println("no"); return 1 }
