package typecheck

import (
	"fmt"
	"strings"
	"testing"

	"codemode/bench"
	"codemode/runtime"
)

// wide makes a surface of 60 namespaces with 15 methods each, about 500 bytes a method.
func wide() (declarations map[string]string, granted string) {
	declarations = map[string]string{}
	var g strings.Builder
	g.WriteString("declare const tools: {\n")
	for n := range 60 {
		var b strings.Builder
		fmt.Fprintf(&b, "declare namespace Tools {\n  interface ns%d {\n", n)
		var names []string
		for m := range 15 {
			fmt.Fprintf(&b, "    /**\n     * Does thing %d of service %d and returns what it made of it.\n     * When to use: to do thing %d, after the thing before it is done.\n     */\n", m, n, m)
			fmt.Fprintf(&b, "    method%d(args: { id: string; query?: string; limit?: number; sort?: \"name\" | \"created\" | \"size\"; nested?: { a: string; b?: number[]; c?: { d: boolean } } }): Promise<{ items: { id: string; name: string; score: number; tags: string[] }[]; total: number; next?: string }>;\n", m)
			names = append(names, fmt.Sprintf("%q", fmt.Sprintf("method%d", m)))
		}
		b.WriteString("  }\n}\n")
		declarations[fmt.Sprintf("ns%d.d.ts", n)] = b.String()
		fmt.Fprintf(&g, "  readonly ns%d: Pick<Tools.ns%d, %s>;\n", n, n, strings.Join(names, " | "))
	}
	g.WriteString("};\n")
	return declarations, g.String()
}

// BenchmarkWarmCheck checks a new script each time, against 900 methods, in a warm process; it
// reports the median and the 95th percentile.
func BenchmarkWarmCheck(b *testing.B) {
	declarations, granted := wide()
	size := 0
	for _, d := range declarations {
		size += len(d)
	}
	for _, kind := range []struct{ name, tail string }{
		{"clean", ""},
		{"one error", "out.push(await tools.ns1.methd1({ id: 'x' }));"},
		{"warnings", "const acc = {}; acc.total = 0; acc.names = []; function f(x) { return x; }"},
	} {
		b.Run(kind.name, func(b *testing.B) {
			c := open(b, Config{})
			request := func(i int) runtime.CheckRequest {
				text := fmt.Sprintf(`const out: string[] = [];
for (const item of (await tools.ns%d.method%d({ id: "run-%d", limit: 5, sort: "name" })).items) {
  const more = await tools.ns%d.method3({ id: item.id, nested: { a: item.name, b: [1, 2] } });
  out.push(item.name, ...more.items.map(m => m.tags.join(",")));
}
%s
export default out;
`, i%60, i%15, i, (i+7)%60, kind.tail)
				return runtime.CheckRequest{Mode: runtime.CheckTools, Script: single(text), Declarations: declarations, Set: "wide", Granted: granted}
			}
			check(b, c, request(0))
			var timer bench.Timer
			for i := 1; b.Loop(); i++ {
				timer.Time(func() { check(b, c, request(i)) })
			}
			timer.Report(b)
			b.ReportMetric(float64(size)/1024, "decl-KB")
		})
	}
}

// BenchmarkColdCheck starts a process for each check.
func BenchmarkColdCheck(b *testing.B) {
	declarations, granted := wide()
	var timer bench.Timer
	for b.Loop() {
		timer.Time(func() {
			c := open(b, Config{})
			check(b, c, runtime.CheckRequest{Mode: runtime.CheckTools, Script: single("export default 1;"), Declarations: declarations, Set: "wide", Granted: granted})
			c.Close()
		})
	}
	timer.Report(b)
}
