# make demo runs the main job; make test passes the tests. Each installs what it needs.
.DEFAULT_GOAL := help
.PHONY: help build demo world test soak gen bench lint fuzz checker tools clean

export PATH := $(CURDIR)/bin:$(PATH)

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 10

# Without C a binary is static, and one that runs out of memory says so in words that are known.
build: ## build codemode, its worker and the example world into bin/
	@mkdir -p bin
	@test -x bin/codemode || echo "building; the first time this downloads modules and takes some minutes"
	CGO_ENABLED=0 go build -o bin/ ./cmd/codemode ./cmd/codemode-worker ./fixtures/world/cmd/world

checker: build
	@bin/codemode provision

demo: build checker ## a script on the example directory: result and receipt
	@fixtures/demo.sh

world: build ## serve the simulated company of the examples, until interrupted
	@bin/world

test: tools build checker ## all tests, with the race detector
	@.ci/test

soak: build checker ## 1,000 runs of hostile scripts: how they end, what the service holds, what is left
	CODEMODE_SOAK=1000 go test -run TestService -v -timeout 60m ./fixtures/hostile

tools:
	@.ci/tools

gen: build ## regenerate bindings/ from the example directory
	bin/codemode gen --directory fixtures/directory --out bindings --go bindings

bench: build checker ## whole runs beside the bare engine, then every benchmark of Go: medians and p95
	bin/codemode bench speed
	go test -run '^$$' -bench . $$(grep -rl --include='*_test.go' '^func Benchmark' . | xargs -n1 dirname | sort -u)

lint: build ## gofmt, go vet, the example directory and its generated files
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }
	go vet ./...
	bin/codemode lint --directory fixtures/directory || test $$? -eq 1
	bin/codemode gen --directory fixtures/directory --out bindings --go bindings --check

fuzz: ## every fuzz target for a minute (FUZZTIME to change)
	@.ci/fuzz

clean: ## remove what was built
	rm -rf bin
