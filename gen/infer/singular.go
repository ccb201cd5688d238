package infer

// This file makes "ticket" of "tickets": the slot after a segment of a URL is one of what the
// segment lists.

import "strings"

// singulars are words that the endings below would spoil; most are not plural at all.
var singulars = map[string]string{
	"news": "news", "series": "series", "species": "species", "status": "status", "canvas": "canvas", "alias": "alias",
	"atlas": "atlas", "bias": "bias", "gas": "gas", "lens": "lens", "analytics": "analytics", "statistics": "statistics",
	"kubernetes": "kubernetes", "windows": "windows", "details": "details", "always": "always",
	"movies": "movie", "cookies": "cookie", "calories": "calorie", "caches": "cache", "axes": "axes", "indices": "index",
	"statuses": "status", "aliases": "alias", "buses": "bus", "viruses": "virus", "campuses": "campus", "bonuses": "bonus",
	"analyses": "analysis", "menus": "menu", "gurus": "guru", "cpus": "cpu", "gpus": "gpu", "skus": "sku", "people": "person", "children": "child", "heroes": "hero",
}

// singular is one of what a plural names. A word that is not plainly a plural stays.
func singular(name string) string {
	at := strings.LastIndexFunc(name, func(r rune) bool { return r == '_' || r >= 'A' && r <= 'Z' })
	head, word := name[:max(at, 0)], name[max(at, 0):]
	if one, ok := singulars[strings.ToLower(strings.TrimPrefix(word, "_"))]; ok {
		if strings.HasPrefix(word, "_") {
			return head + "_" + one
		}
		return head + word[:1] + one[1:]
	}
	stem, plural := strings.CutSuffix(word, "s")
	switch {
	case !plural || len(word) < 4 || strings.HasSuffix(stem, "s") || strings.HasSuffix(stem, "u") || strings.HasSuffix(stem, "i"), strings.HasSuffix(stem, "oe"):
		return name
	case strings.HasSuffix(stem, "ie") && len(stem) > 3:
		return head + strings.TrimSuffix(stem, "ie") + "y"
	case strings.HasSuffix(stem, "sse"), strings.HasSuffix(stem, "xe"), strings.HasSuffix(stem, "she"), strings.HasSuffix(stem, "che"):
		return head + strings.TrimSuffix(stem, "e")
	}
	return head + stem
}
