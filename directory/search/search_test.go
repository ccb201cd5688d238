package search

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"

	"codemode/bench"
	"codemode/directory"
	"codemode/directory/contract"
)

func rows() []contract.Contract {
	row := func(name, description, params string) contract.Contract {
		return contract.Contract{Name: name, Description: description, Params: json.RawMessage(params)}
	}
	return []contract.Contract{
		row("billing.createInvoice", "Creates an invoice for a customer.", `{"properties":{"customerId":{},"lines":{"description":"what was sold"}}}`),
		row("billing.listInvoices", "Lists invoices, newest first.", `{}`),
		row("crm.listContacts", "Lists the people we know.", `{"properties":{"query":{"description":"part of a name or e-mail address"}}}`),
		row("weather.forecast", "Forecast for a city.", `{"properties":{"city":{}}}`),
		row("weather.current", "Current conditions at a place.", `{"properties":{"city":{}}}`),
	}
}

func TestQuery(t *testing.T) {
	index := New(rows(), nil)
	for query, want := range map[string]string{
		"create a new invoice":                  "billing.createInvoice",
		"creating an invoice":                   "billing.createInvoice",
		"list of all the invoices":              "billing.listInvoices",
		"find someone's e-mail":                 "crm.listContacts",
		"weather forecast tomorrow":             "weather.forecast",
		"crm.listContacts":                      "crm.listContacts",
		"listcontacts":                          "crm.listContacts",
		"lsitContacts":                          "crm.listContacts",
		"crm.listContact":                       "crm.listContacts",
		"what is the weather in Bonn currently": "weather.current",
	} {
		hits := index.Query(query, 3)
		if len(hits) == 0 || hits[0].Contract.Name != want {
			t.Errorf("Query(%q) = %v, want %s first", query, called(hits), want)
		}
	}
	if hits := index.Query("zzz", 3); len(hits) > 0 {
		t.Errorf("Query(zzz) = %v, want nothing", called(hits))
	}
}

func TestQueryDoesNotDependOnOrder(t *testing.T) {
	contracts := rows()
	want := called(New(contracts, nil).Query("list weather invoices", 5))
	slices.Reverse(contracts)
	if got := called(New(contracts, nil).Query("list weather invoices", 5)); !slices.Equal(got, want) {
		t.Errorf("reversed: %v, want %v", got, want)
	}
}

func TestWords(t *testing.T) {
	got := words("getHTTPServer2_list-of x.y")
	want := []string{"get", "HTTP", "Server", "2", "list", "of", "x", "y"}
	if !slices.Equal(got, want) {
		t.Errorf("words = %q, want %q", got, want)
	}
}

// A query that calls an operation by name or key finds it first, and one with a slip of the keyboard.
func TestQueryByName(t *testing.T) {
	contracts := rows()
	for i := range contracts {
		contracts[i].Key = strings.ToUpper(strings.ReplaceAll(contracts[i].Name, ".", "_"))
	}
	index := New(contracts, nil)
	for query, want := range map[string]string{
		"weather.current":                                 "weather.current",
		"WEATHER_CURRENT":                                 "weather.current",
		"tools.crm.listContacts({})":                      "crm.listContacts",
		"How do I list the invoices of crm.listContacts?": "crm.listContacts",
		"use listContacts for weather and invoices":       "crm.listContacts",
		"craeteInvoice":                                   "billing.createInvoice",
		"billing.createInvioces":                          "billing.createInvoice",
		"wether.forcast":                                  "weather.forecast",
		"billing.cr":                                      "billing.createInvoice",
	} {
		if hits := index.Query(query, 3); len(hits) == 0 || hits[0].Contract.Name != want {
			t.Errorf("Query(%q) = %v, want %s first", query, called(hits), want)
		}
	}
}

// Words are found in two pieces, in one, and misspelt.
func TestQueryWords(t *testing.T) {
	index := New([]contract.Contract{
		{Name: "geo.lookup", Description: "Finds a place by its post code."},
		{Name: "users.find", Description: "Finds a person by username."},
		{Name: "fx.rate", Description: "Exchange rates.", Params: json.RawMessage(`{"properties":{"to":{"default":"usd","enum":["eur","gbp"]}}}`)},
	}, nil)
	for query, want := range map[string]string{"postcode": "geo.lookup", "user name": "users.find", "GBP": "fx.rate", "usd": "fx.rate", "exchnage": "fx.rate"} {
		if hits := index.Query(query, 1); len(hits) != 1 || hits[0].Contract.Name != want {
			t.Errorf("Query(%q) = %v, want %s", query, called(hits), want)
		}
	}
}

// A request with two needs has both answered before a second answer to the first.
func TestQueryCoversNeeds(t *testing.T) {
	index := New([]contract.Contract{
		{Name: "a.invoiceSend", Description: "Send an invoice to a customer."},
		{Name: "b.invoiceMail", Description: "Send an invoice to a customer by mail."},
		{Name: "c.invoicePost", Description: "Send an invoice to a customer by post."},
		{Name: "d.weather", Description: "Forecast."},
	}, nil)
	hits := index.Query("send an invoice to the customer, check the weather", 2)
	if got := called(hits); !slices.Contains(got, "d.weather") {
		t.Errorf("found %v, want the weather among the first two", got)
	}
}

// An operation is found for what its namespace is about.
func TestQueryByNamespace(t *testing.T) {
	index := New([]contract.Contract{
		{Name: "chess.games", Description: "Lists what was played."},
		{Name: "chess.player", Description: "Rating of a chess player."},
		{Name: "chat.games", Description: "Lists what was played."},
		{Name: "chat.room", Description: "Talk."},
	}, nil)
	if got := called(index.Query("games of chess", 1)); got[0] != "chess.games" {
		t.Errorf("found %v", got)
	}
}

func TestQueryPagesAndCategories(t *testing.T) {
	dir := &directory.Directory{
		Rows:  []directory.Row{{Key: "K", Category: "logistics"}},
		Pages: []directory.Row{{Key: "RETURNS_POLICY", Category: "help", Content: "# WHAT: How parcels come back."}},
	}
	index := New([]contract.Contract{{Name: "a.b", Key: "K", Description: "Tracks."}}, dir)
	hits := index.Query("how do parcels come back", 5)
	if len(hits) != 1 || hits[0].Page == nil || hits[0].Name() != "RETURNS_POLICY" {
		t.Errorf("found %v", called(hits))
	}
	if hits := index.Query("logistics", 5); len(hits) != 1 || hits[0].Name() != "a.b" {
		t.Errorf("found %v", called(hits))
	}
}

func TestSentences(t *testing.T) {
	got := sentences("I use v1.2 at example.com. Show it!  Now; then\nmore. ")
	want := []string{"I use v1.2 at example.com.", " Show it!", "  Now;", " then\n", "more."}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Nothing that an index of nothing is asked makes it fail.
func TestEmptyIndex(t *testing.T) {
	if hits := New(nil, nil).Query("anything at all", 8); len(hits) > 0 {
		t.Errorf("found %v", called(hits))
	}
}

func called(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.Name())
	}
	return out
}

func FuzzQuery(f *testing.F) {
	index := New(rows(), &directory.Directory{Pages: []directory.Row{{Key: "P", Content: "A page."}}})
	for _, s := range []string{"crm.listContacts", "é\xff ", "\x00\u202e", ". . ! ?;\n\n", "listContcats", "İstanbul ǅ", strings.Repeat("invoice ", 5000), strings.Repeat("a", 1<<20)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		hits := index.Query(query, 2)
		if len(hits) > 2 {
			t.Fatalf("%d hits, at most 2 asked for", len(hits))
		}
		for _, h := range hits {
			if math.IsNaN(h.Score) || h.Score <= 0 || h.Name() == "" {
				t.Fatalf("%+v", h)
			}
		}
		if again := index.Query(query, 2); !slices.Equal(called(again), called(hits)) {
			t.Fatalf("%v, then %v", called(hits), called(again))
		}
	})
}

// company makes n operations of words that are as frequent as in a language (Zipf), in namespaces of
// about a dozen, and queries of two sentences about them.
func company(n int) (contracts []contract.Contract, queries []string) {
	r := rand.New(rand.NewSource(1))
	zipf := rand.NewZipf(r, 1.1, 4, 8000)
	word := func() string {
		n, w := zipf.Uint64()+7, ""
		for ; n > 0; n /= 20 {
			w += string("bcdfghklmnprstvwxyzj"[n%20]) + string("aeiou"[n%5])
		}
		return w
	}
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(word() + " ")
		}
		return b.String()
	}
	for i := range n {
		params := fmt.Sprintf(`{"properties":{%q:{"description":%q},%q:{"default":%q},%q:{"description":%q}}}`, word(), text(6), word(), word(), word(), text(4))
		contracts = append(contracts, contract.Contract{
			Name: fmt.Sprintf("ns%d.%s%s%d", i/12, word(), word(), i), Key: fmt.Sprint("K", i), Description: text(12), WhenToUse: text(8), Params: json.RawMessage(params),
		})
	}
	for range 200 {
		queries = append(queries, fmt.Sprintf("I am %s. Please %s and %s, additionally %s", text(8), text(8), contracts[r.Intn(n)].Description, text(4)))
	}
	return contracts, queries
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{900, 9_000, 90_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			contracts, queries := company(n)
			index := New(contracts, nil)
			var timer bench.Timer
			for i := 0; b.Loop(); i++ {
				timer.Time(func() { index.Query(queries[i%len(queries)], 8) })
			}
			timer.Report(b)
		})
	}
}

// BenchmarkNew makes the index; its memory is that of the benchmark's allocations and, in MB, what
// stays.
func BenchmarkNew(b *testing.B) {
	for _, n := range []int{900, 9_000, 90_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			contracts, _ := company(n)
			var timer bench.Timer
			var index *Index
			before := inUse()
			for b.Loop() {
				timer.Time(func() { index = New(contracts, nil) })
			}
			b.ReportMetric(float64(inUse()-before)/(1<<20), "index-MB")
			runtime.KeepAlive(index)
			timer.Report(b)
		})
	}
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
