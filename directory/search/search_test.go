package search

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"codemode/bench"
	"codemode/directory/contract"
)

func directory() []contract.Contract {
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
	index := New(directory())
	for query, want := range map[string]string{
		"create a new invoice":                  "billing.createInvoice",
		"creating an invoice":                   "billing.createInvoice",
		"list of all the invoices":              "billing.listInvoices",
		"find someone's e-mail":                 "crm.listContacts",
		"weather tomorrow":                      "weather.forecast",
		"crm.listContacts":                      "crm.listContacts",
		"listcontacts":                          "crm.listContacts",
		"lsitContacts":                          "crm.listContacts",
		"crm.listContact":                       "crm.listContacts",
		"what is the weather in Bonn currently": "weather.current",
	} {
		hits := index.Query(query, 3)
		if len(hits) == 0 || hits[0].Contract.Name != want {
			t.Errorf("Query(%q) = %v, want %s first", query, names(hits), want)
		}
	}
	if hits := index.Query("zzz", 3); len(hits) > 0 {
		t.Errorf("Query(zzz) = %v, want nothing", names(hits))
	}
}

func TestQueryDoesNotDependOnOrder(t *testing.T) {
	contracts := directory()
	want := names(New(contracts).Query("list weather invoices", 5))
	slices.Reverse(contracts)
	if got := names(New(contracts).Query("list weather invoices", 5)); !slices.Equal(got, want) {
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

func names(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.Contract.Name)
	}
	return out
}

func FuzzQuery(f *testing.F) {
	index := New(directory())
	f.Add("crm.listContacts")
	f.Add("é\xff ")
	f.Fuzz(func(t *testing.T, query string) {
		if hits := index.Query(query, 2); len(hits) > 2 {
			t.Fatalf("%d hits, at most 2 asked for", len(hits))
		}
	})
}

func BenchmarkQuery(b *testing.B) {
	for _, n := range []int{900, 9_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var contracts []contract.Contract
			for i := range n {
				c := directory()[i%5]
				c.Name = fmt.Sprintf("%s%d", c.Name, i)
				contracts = append(contracts, c)
			}
			index := New(contracts)
			var timer bench.Timer
			for b.Loop() {
				timer.Time(func() { index.Query("invoice for a customer", 8) })
			}
			timer.Report(b)
		})
	}
}
