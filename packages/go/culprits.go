package lookout

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	lookoutv1 "lookout.dev/client/lookout/v1"
)

// requireResults is the failure of an answer that does not say of each event what became of it, or nil.
func requireResults(results []*lookoutv1.EventResult, count int) *Error {
	known := 0
	for _, result := range results {
		if result.Status == "success" || result.Status == "error" {
			known++
		}
	}
	if known == count && len(results) == count {
		return nil
	}
	message := fmt.Sprintf("the answer has results of %d events, not of the %d that were sent, so it is not one of Lookout. Check the address and the proxies on the way",
		known, count)
	return &Error{Code: CodeBadAnswer, Message: message, isLasting: true}
}

// isBlocking says whether the failure stays and is not about the events, but about the key, the website or the way to Lookout: somebody can put
// that right while they wait.
func (e *Error) isBlocking() bool {
	return !e.mayPass() && !e.isTooLarge() && !e.isAboutEvents()
}

// mayPass says whether waiting helps. Nobody cancels the calls of a queue but a proxy, which ends their connection so.
func (e *Error) mayPass() bool { return e.IsTemporary() || e.Code == CodeCancelled }

// isTooLarge says whether a proxy takes no request of this size.
func (e *Error) isTooLarge() bool { return e.status == http.StatusRequestEntityTooLarge }

var eventPath = regexp.MustCompile(`\bevents\[(\d+)\]`)

// isAboutEvents says whether the service refuses the request or its events. CodeValidation may also be about something else, such as a website.
func (e *Error) isAboutEvents() bool {
	if e.Code != CodeValidation {
		return false
	}
	for _, detail := range e.Details {
		if at := eventPath.FindStringIndex(detail.Field); detail.Field == "" || detail.Field == "events" || at != nil && at[0] == 0 {
			return true
		}
	}
	return len(e.Details) == 0
}

// culprits are the events of a batch that the failure names, by their index in the batch.
func (e *Error) culprits(count int) (indices []int) {
	isNamed := make([]bool, count)
	for _, detail := range e.Details {
		if at := eventPath.FindStringSubmatchIndex(detail.Field); at != nil && at[0] == 0 {
			if index, err := strconv.Atoi(detail.Field[at[2]:at[3]]); err == nil && index < count {
				isNamed[index] = true
			}
		}
	}
	for index, named := range isNamed {
		if named {
			indices = append(indices, index)
		}
	}
	return indices
}

// about is the failure where the events with these indices are all there are.
func (e *Error) about(indices []int) *Error {
	places := map[string]string{}
	for place, index := range indices {
		places[fmt.Sprintf("events[%d]", index)] = fmt.Sprintf("events[%d]", place)
	}
	renamed := func(text string) string {
		return eventPath.ReplaceAllStringFunc(text, func(found string) string { return places[found] })
	}
	failure := *e
	failure.Message = renamed(e.Message)
	failure.Details = make([]Detail, len(e.Details))
	for index, detail := range e.Details {
		detail.Field = renamed(detail.Field)
		failure.Details[index] = detail
	}
	return &failure
}
