package template

import "errors"

// Errors of parsing and rendering. No message ever holds a value or a secret.
var (
	// ErrTemplate says that the template itself is wrong.
	ErrTemplate = errors.New("template")
	// ErrValue says that a value cannot stand where the template puts it: a line break in a header,
	// a slash in a host, a NUL in an argument.
	ErrValue = errors.New("value does not fit its place")
	// ErrStructure says that a raw slot changed the structure around it.
	ErrStructure = errors.New("value changes the structure of the template")
	// ErrSecret says that a secret is not available.
	ErrSecret = errors.New("secret not available")
	// ErrMalformedJSON says that a legacy body starts like JSON and is not JSON.
	ErrMalformedJSON = errors.New("malformed json")
	// ErrPipe says that a legacy body cannot carry a "|" at that place.
	ErrPipe = errors.New(`"|" outside the last argument`)
	// ErrAmbiguous says that a legacy body would be read as other arguments than those meant.
	ErrAmbiguous = errors.New("the other side would read different arguments")
)
