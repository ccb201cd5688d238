package ts

import "codemode/directory/contract"

// namespace reads contracts and writes their namespace.
func namespace(ns string, cs []contract.Contract) (string, error) {
	methods := make([]*Method, len(cs))
	for i, c := range cs {
		var err error
		if methods[i], err = Read(c); err != nil {
			return "", err
		}
	}
	return Namespace(ns, methods)
}
