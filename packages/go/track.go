package lookout

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	lookoutv1 "lookout.dev/client/lookout/v1"
)

// mostEvents is how many events a call takes.
const mostEvents = 100

// Track sends events, of which each counts once, however often a try is repeated. It is repeated as other calls are, for a second or two with
// the usual options: an EventQueue sends again until they have arrived. The error is an *Error, with CodeValidation if an event has a property
// without JSON or a text that is not UTF-8, so that nothing was sent, or if the service took all but some events: Details names these by their
// index, such as "events[2]".
func (c *Client) Track(ctx context.Context, websiteID string, events ...Event) error {
	messages := make([]*lookoutv1.FlatEvent, len(events))
	for index, event := range events {
		message, failure := event.message(fmt.Sprintf("events[%d]", index))
		if failure != nil {
			return failure
		}
		messages[index] = message
	}
	var all refusedEvents
	for first := 0; first < len(events); first += mostEvents {
		part := messages[first:min(first+mostEvents, len(messages))]
		refused, failure := c.sendEvents(ctx, websiteID, part)
		if failure != nil {
			return failure
		}
		for at, index := range refused.indices {
			all.add(first+index, refused.messages[at], refused.requestID)
		}
	}
	if all.indices == nil {
		return nil
	}
	return all.failure(len(events))
}

// refusedEvents are those that the service did not take, of the events that it was sent.
type refusedEvents struct {
	indices   []int
	messages  []string
	requestID string
}

func (r *refusedEvents) add(index int, message, requestID string) {
	r.indices, r.messages = append(r.indices, index), append(r.messages, message)
	r.requestID = requestID
}

// alone are the same events where they are all there are.
func (r *refusedEvents) alone() *refusedEvents {
	alone := &refusedEvents{messages: r.messages, requestID: r.requestID}
	for at := range r.indices {
		alone.indices = append(alone.indices, at)
	}
	return alone
}

func (r *refusedEvents) failure(count int) *Error {
	details := make([]Detail, len(r.indices))
	for at, index := range r.indices {
		details[at] = Detail{Field: fmt.Sprintf("events[%d]", index), Message: r.messages[at]}
	}
	message := fmt.Sprintf("%d of %d events are wrong. %s: %s", len(details), count, details[0].Field, details[0].Message)
	return &Error{Code: CodeValidation, Message: message, Details: details, RequestID: r.requestID}
}

// sendEvents sends as many events as a call takes.
func (c *Client) sendEvents(ctx context.Context, websiteID string, events []*lookoutv1.FlatEvent) (refused refusedEvents, failure *Error) {
	messages := make([]*lookoutv1.Event, len(events))
	for index, event := range events {
		messages[index] = &lookoutv1.Event{Payload: &lookoutv1.Event_Flat{Flat: event}}
	}
	requestID := ""
	note := WithOnHeader(func(header http.Header) { requestID = header.Get("X-Request-Id") })
	answer, err := c.Ingest.Batch(ctx, &lookoutv1.BatchRequest{WebsiteId: websiteID, Events: messages}, note)
	if err != nil {
		if !errors.As(err, &failure) {
			failure = &Error{Code: CodeBadAnswer, Message: err.Error(), cause: err}
		}
		return refused, failure
	}
	if failure := requireResults(answer.Results, len(events)); failure != nil {
		failure.RequestID = requestID
		return refused, failure
	}
	for index, result := range answer.Results {
		if result.Status == "error" {
			refused.add(index, result.GetMessage(), requestID)
		}
	}
	return refused, nil
}
