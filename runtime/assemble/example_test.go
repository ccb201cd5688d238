package assemble_test

import (
	"context"
	"fmt"

	"codemode/bindings"
	"codemode/runtime"
	"codemode/runtime/assemble"
)

// texts implements one namespace of the example directory in Go; what it leaves out says so when called.
type texts struct {
	bindings.UnimplementedTextHandler
}

func (texts) Distance(_ context.Context, args *bindings.TextDistanceArgs) (int64, error) {
	return int64(len(args.A) - len(args.B)), nil
}

// A program of one's own: rows from a folder, some of them performed in Go, and a script. It needs
// codemode-worker beside it or on PATH, and npm once, for the type checker.
func ExampleOpen() {
	ctx := context.Background()
	system, err := assemble.Open(ctx, assemble.Config{Directory: "rows/", Handlers: bindings.TextHandlers(texts{})})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer system.Close()
	grants, err := runtime.ParseGrants("grant.json", []byte(`{"principal":"user:ana","agent":"agent:one","resource":"*","operations":["text.*"],"decisions":{"required":[]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	result := system.Service.Run(ctx, runtime.Request{
		Sources: []runtime.Source{{Name: "main.ts", Text: `return await tools.text.distance({ a: "kitten", b: "mitten" });`}},
		Grants:  grants,
		Check:   runtime.CheckTools,
	})
	fmt.Println(result.State, string(result.Result))
}
