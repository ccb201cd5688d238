package sqlite

// This file holds the arithmetic of budgets: reserve, settle, what is left.

import (
	"encoding/json"
	"maps"
	"slices"

	"codemode/runtime"
)

// encodeAccounts refuses unknown dimensions and negative amounts by reading back what it wrote.
func encodeAccounts(accounts map[string]runtime.Budget) (string, error) {
	names := make(ids, len(accounts))
	for name := range accounts {
		names["account "+quote(name)] = name
	}
	if err := names.check(); err != nil {
		return "", err
	}
	raw, err := json.Marshal(accounts)
	if err == nil {
		err = json.Unmarshal(raw, &map[string]runtime.Budget{})
	}
	if err != nil {
		return "", runtime.Errorf(runtime.InvalidArgument, "accounts: %v", err)
	}
	return string(raw), nil
}

// validCharge refuses amounts below 0 and an account named twice.
func validCharge(accounts []string, amounts map[runtime.Dimension]int64) error {
	for i, name := range accounts {
		if slices.Contains(accounts[:i], name) {
			return runtime.Errorf(runtime.InvalidArgument, "account %s is named twice", quote(name))
		}
	}
	for _, d := range slices.Sorted(maps.Keys(amounts)) {
		if amounts[d] < 0 {
			return runtime.Errorf(runtime.InvalidArgument, "amount of %s is %d, want 0 or more", quote(string(d)), amounts[d])
		}
	}
	return nil
}

// reserve takes the charge from every account or changes nothing. A dimension that an account does
// not name is not limited by it.
func (r *run) reserve(accounts []string, charge map[runtime.Dimension]int64) error {
	for _, name := range accounts {
		budget, ok := r.accounts[name]
		if !ok {
			return r.noAccount(name)
		}
		for _, d := range slices.Sorted(maps.Keys(charge)) {
			if left, limited := budget[d]; limited && charge[d] > left {
				return (&runtime.Exhausted{Account: name, Dimension: d, Asked: charge[d], Left: left}).Failure()
			}
		}
	}
	for _, name := range accounts {
		for d, n := range charge {
			if left, limited := r.accounts[name][d]; limited {
				r.accounts[name][d] = left - n
			}
		}
	}
	return nil
}

// settle gives back what was reserved and not used, and takes what was used beyond it, down to 0.
func (r *run) settle(c call, out runtime.CallOutcome) error {
	for d, n := range out.Release {
		if n > c.charge[d] {
			return runtime.Errorf(runtime.InvalidArgument, "call %s releases %d %s of %d reserved", quote(out.CallID), n, d, c.charge[d])
		}
	}
	for _, name := range out.Accounts {
		if !slices.Contains(c.accounts, name) {
			return runtime.Errorf(runtime.InvalidArgument, "call %s did not charge account %s", quote(out.CallID), quote(name))
		}
		budget, ok := r.accounts[name]
		if !ok {
			return r.noAccount(name)
		}
		for d := range budget {
			budget[d] = max(0, budget[d]+out.Release[d]-out.Charge[d])
		}
	}
	return nil
}

// balance copies what is left in the accounts.
func (r *run) balance(accounts []string) runtime.Balance {
	out := make(runtime.Balance, len(accounts))
	for _, name := range accounts {
		out[name] = maps.Clone(r.accounts[name])
		if out[name] == nil {
			out[name] = runtime.Budget{}
		}
	}
	return out
}

func (r *run) noAccount(name string) error {
	return runtime.Errorf(runtime.InvalidArgument, "run %s has no account %s", quote(r.runID), quote(name)).
		WithHint("it has %s", nameList(r.accounts))
}
