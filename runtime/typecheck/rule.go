package typecheck

// This file holds the rule: what blocks a run in tools mode and what is only said.
//
// The principle: block where a run could not end well because of how the script uses what it was
// granted, and where the author sees at once what to change: syntax, names that do not exist,
// methods, arguments, fields of generated results, generated objects used as arrays, promises used before
// they are awaited or dropped (floating.go). Warn where
// TypeScript asks for more care than JavaScript needs. Where a type says only that a value may be
// wrong (a widened literal, a value possibly undefined, unknown), warn: the Gate validates the
// value itself. Where no value of the type could be right, block.
//
// A code that is not in the table warns.

// ruling says how a diagnostic code is judged.
type ruling int

const (
	warns     ruling = iota
	blocks           // always
	asName           // a name nobody declares
	asMember         // by where the type that lacks the member comes from
	asIndex          // the same for x["literal"], and for x[number] on what was generated and is no array
	asValue          // by the place: an argument of a capability call, and whether a value of the type could be right
	asExtra          // a field in an object literal that its target does not know: blocks in such a place
	asCount          // number of arguments: blocks for a capability call
	asCall           // what is called is no function: by where its type comes from
	asPromise        // blocks when the value in question is a promise, or is iterated, generated and no array
)

// rulings is the table. Codes 1000 to 1999 that are not in it are grammar, and block.
var rulings = map[int]ruling{
	// Grammar that TypeScript reports and an engine runs: an async function declared to return no
	// promise, a property twice in a literal, a void value tested for truth, a catch variable's
	// annotation, await of an odd promise, optional parameters before others, annotations of
	// constructors and setters, as const of what is no literal, satisfies, imports of types.
	1064: warns, 1117: warns, 1345: warns, 1196: warns, 1320: warns, 1015: warns, 1016: warns, 1047: warns,
	1093: warns, 1095: warns, 1355: warns, 1360: warns, 1205: warns, 1361: warns, 1362: warns, 1371: warns, 1448: warns,

	// Names.
	2304: asName, 2552: asName, 2503: asName, 2662: asName, 2663: asName, 18004: asName,
	2580: asName, 2581: asName, 2582: asName, 2583: asName, 2584: asName, 2585: asName, 2591: asName, 2592: asName, 2593: asName, 2868: asName,
	2693: blocks, 2708: blocks, 2749: blocks, // a type used as a value, a namespace as one, a value as a type
	2694: blocks, 2724: blocks, 2305: blocks, // no exported member
	2448: blocks, 2449: blocks, // used before its declaration: throws
	2451: blocks, 2393: blocks, 2440: blocks, // declared twice
	2588: blocks, // assignment to a constant: throws

	// Imports.
	2307: blocks, 2306: blocks, 2614: blocks, 2613: blocks, 1192: blocks, 2792: blocks, 2882: blocks, 7016: blocks,
	2732: blocks, 2688: blocks, 6053: blocks, 6054: blocks, 2726: blocks, 2846: blocks, 5097: blocks, 2665: blocks, 2664: blocks,

	// Members.
	2339: asMember, 2551: asMember, 2550: asMember, 2576: asMember, 2568: asMember, 2570: asMember,
	7053: asIndex, 7015: asIndex,

	// Values.
	2345: asValue, 2322: asValue, 2740: asValue, 2739: asValue, 2741: asValue, 2559: asValue, 2560: asValue,
	2820: asValue, 2769: asValue, 2326: asValue, 2375: asValue, 2379: asValue, 2412: asValue,
	2353: asExtra, 2561: asExtra,
	2554: asCount, 2555: asCount, 2556: asCount, 2575: asCount,
	2349: asCall, 2351: asCall, 6234: asCall, 2348: asCall, 2347: asCall,

	// Promises.
	2488: asPromise, 2461: asPromise, 2495: asPromise, 2548: asPromise, 2549: asPromise, 2504: asPromise, 2569: asPromise,
	2362: asPromise, 2363: asPromise, 2365: asPromise, 2367: asPromise, 2801: asPromise, 2802: asPromise, 2407: asPromise, 2698: asPromise,
}

// Codes of regular expressions, which an engine takes more kindly and compiles before it runs anything.
const firstRegExp, lastRegExp = 1499, 1540

// rulingOf returns how the code is judged.
func rulingOf(code int) ruling {
	if r, ok := rulings[code]; ok {
		return r
	}
	if code >= firstRegExp && code <= lastRegExp || code < 1000 || code >= 2000 {
		return warns
	}
	return blocks
}
