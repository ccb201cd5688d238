package goja

import "testing"

// TestWeb holds URL, URLSearchParams, TextEncoder, TextDecoder, atob and btoa to what browsers answer.
func TestWeb(t *testing.T) {
	for script, want := range map[string]string{
		`return new URL("../b c?x=1#f", "https://u:p@Bücher.example:443/a/d/").href`:                                                                                     `"https://u:p@xn--bcher-kva.example/a/b%20c?x=1#f"`,
		`const u = new URL("http://a.example/x"); u.port = "81"; u.hash = "é"; u.protocol = "https"; return [u.href, u.origin]`:                                          `["https://a.example:81/x#%C3%A9","https://a.example:81"]`,
		`const u = new URL("http://a.example/?a=1"); u.searchParams.append("b c", "ü&~*"); return u.search`:                                                              `"?a=1&b+c=%C3%BC%26%7E*"`,
		`const u = new URL("http://a.example/?a=1"); const p = u.searchParams; u.search = "?z=9"; return [p.get("z"), p.has("a"), u.searchParams === p]`:                 `["9",false,true]`,
		`const u = new URL("http://a.example/?a=1"); u.searchParams.delete("a"); return u.href`:                                                                          `"http://a.example/"`,
		`return [URL.canParse("nope"), URL.canParse("x", "http://a.example"), URL.parse("nope"), JSON.stringify({ u: new URL("HTTP://A.example") })]`:                    `[false,true,null,"{\"u\":\"http://a.example/\"}"]`,
		`try { new URL("nope") } catch (e) { return [e instanceof TypeError, e.message] }`:                                                                               `[true,"Invalid URL: nope"]`,
		`return [new URL("data:text/plain,a").origin, new URL("http://[::1]:8/").hostname, new URL("http://0x7f.1/").host]`:                                              `["null","[::1]","127.0.0.1"]`,
		`const p = new URLSearchParams("?b=2&a=1&b=3&c"); p.sort(); p.set("b", "x"); return [String(p), p.size, [...p.keys()], p.getAll("c"), p.get("q")]`:               `["a=1&b=x&c=",3,["a","b","c"],[""],null]`,
		`return [String(new URLSearchParams([["a", "1 2"]])), String(new URLSearchParams({ a: "é" })), new URLSearchParams("a=%zz%41+%FF").get("a")]`:                    "[\"a=1+2\",\"a=%C3%A9\",\"%zzA \ufffd\"]",
		`return [...new TextEncoder().encode("é😀\ud800")]`:                                                                                                               `[195,169,240,159,152,128,239,191,189]`,
		`return new TextDecoder().decode(new Uint8Array([0xEF, 0xBB, 0xBF, 97, 0xF0, 0x9F, 98, 0xFF, 0xC3]))`:                                                            "\"a\ufffdb\ufffd\ufffd\"",
		`return new TextDecoder().decode(new Uint8Array([1, 97, 98, 2]).subarray(1, 3)) + new TextDecoder().decode(new Uint16Array([0x6261]))`:                           `"abab"`,
		`try { new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255])) } catch (e) { return e instanceof TypeError }`:                                    `true`,
		`try { new TextDecoder("latin1") } catch (e) { return e instanceof RangeError }`:                                                                                 `true`,
		`return [btoa("aÿ"), atob(" Yf8 ") === "aÿ", atob("YQ"), atob("")]`:                                                                                              `["Yf8=",true,"a",""]`,
		`const out = []; for (const f of [() => atob("a"), () => atob("*"), () => btoa("€")]) { try { f(); out.push("no") } catch (e) { out.push(e.name) } } return out`: `["TypeError","TypeError","TypeError"]`,
		`return Object.getOwnPropertyNames(new URL("http://a.example")).length`:                                                                                          `0`,
	} {
		out := exec(t, t.Context(), script, &service{})
		if out.Err != nil || string(out.Result) != want {
			t.Errorf("%s\n got %s (%v)\nwant %s", script, out.Result, out.Err, want)
		}
	}
}
