package library_test
import "testing"
func TestZZ(t *testing.T) {
	for _, s := range []string{
		`const log: string[] = [];
function d(v: any, c: any) { log.push(c.kind + ":" + String(c.name)); return v; }
@d class A { @d m() { return 1; } @d accessor x = 1; @d y = 2; @d get z() { return 1; } @d static s() {} }
export default [log, new A().m(), Object.keys({})];`,
		`const log = []; { using x = { [Symbol.for("Symbol.dispose")]() { log.push("closed"); } }; log.push("open"); } export default log;`,
		`const ticker = { async *[Symbol.for("Symbol.asyncIterator")]() { yield 1; yield 2; } }; const out = []; for await (const x of ticker) out.push(x); export default out;`,
		`export default [typeof console.log, console.log instanceof Function]`,
	} {
		t.Run("", func(t *testing.T) { t.Log(string(run(t, s))) })
	}
}
