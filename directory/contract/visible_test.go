package contract_test

import (
	"testing"

	"codemode/directory/contract"
)

func TestInvisible(t *testing.T) {
	for _, r := range []rune{0x3164, 0x115F, 0x1160, 0xFFA0, 0x200B, 0x200D, 0x202E, 0x2060, 0x2065, 0x034F, 0x17B4, 0x180B, 0x180F, 0xFE0F, 0xFEFF, 0xE0041, 0xE0100, 0xE000, 0xAD, 0x2028, 0} {
		if !contract.Invisible(r) {
			t.Errorf("%U is visible", r)
		}
	}
	for _, r := range "aZ0_ \t\n\réß日ก́漢한😀$" {
		if contract.Invisible(r) {
			t.Errorf("%U is invisible", r)
		}
	}
	if got := contract.Visible("li\u3164st\ufe0f"); got != "list" {
		t.Errorf("got %q", got)
	}
}

func TestConfusable(t *testing.T) {
	for text, want := range map[string]string{
		"crm_l\u0456st": "l\u0456st", "\u0421RM.list": "\u0421RM", "p\u03bfst": "p\u03bfst", "user_name": "", "поиск": "", "find_поиск": "", "ναι": "",
		"µs": "", "café": "", "日本abc": "", "": "",
	} {
		if got := contract.Confusable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for r, want := range map[rune]rune{'а': 'a', 'Е': 'E', 'ο': 'o', 'Ｅ': 'E', '：': ':', 'x': 'x', 'ж': 'ж', '日': '日'} {
		if got := contract.Latin(r); got != want {
			t.Errorf("%c: %c, want %c", r, got, want)
		}
	}
}
