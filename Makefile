# make demo runs the main job; make test passes the tests. Each installs what it needs.
.DEFAULT_GOAL := help
.PHONY: help build demo test gen bench lint fuzz checker tools clean

BIN := $(CURDIR)/bin
export PATH := $(BIN):$(PATH)

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 10

# Without C a binary is static, and one that runs out of memory says so in words that are known.
build: ## build codemode, its worker and the example world into bin/
	@mkdir -p $(BIN)
	CGO_ENABLED=0 go build -o $(BIN)/ ./cmd/codemode ./cmd/codemode-worker ./fixtures/world/cmd/world

checker: build
	@$(BIN)/codemode provision

demo: build checker ## a script on the example directory: result and receipt
	@fixtures/demo.sh

test: tools build checker ## all tests, with the race detector
	@.ci/test

tools:
	@.ci/tools

gen: build ## regenerate bindings/ from the example directory
	$(BIN)/codemode gen --directory fixtures/directory --out bindings

bench: build checker ## measure: medians and p95
	go test -run '^$$' -bench . -benchmem ./directory/search ./gen ./runtime/typecheck ./runtime/worker ./runtime/sqlite

lint: build ## gofmt, go vet, the example directory and its generated files
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }
	go vet ./...
	$(BIN)/codemode lint --directory fixtures/directory || test $$? -eq 1
	$(BIN)/codemode gen --directory fixtures/directory --out bindings --check

fuzz: ## every fuzz target for a minute (FUZZTIME to change)
	@.ci/fuzz

clean: ## remove what was built
	rm -rf $(BIN)
