package lookout

import (
	"cmp"
	"regexp"
)

var route = regexp.MustCompile(`\b(?:GET|POST|PUT|PATCH|DELETE) /[\w/{}-]*`)

// inGo is a text of the service, which names calls as HTTP does ("POST /links/list"), with the client's names ("LinkCalls.ListLinks").
func inGo(text string) string {
	return route.ReplaceAllStringFunc(text, func(found string) string { return cmp.Or(callOfRoute[found], found) })
}
