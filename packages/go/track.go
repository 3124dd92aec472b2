package lookout

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	lookoutv1 "lookout.dev/client/lookout/v1"
)

// PageView is the name of the event that counts as the view of a page.
const PageView = "page_view"

// Event is something that a visitor did. Only Name is required.
type Event struct {
	// Name of what happened, such as "signup", or PageView.
	Name string
	// ID of the event, which counts once however often it is sent. By default a new one.
	ID string
	// Time is now by default.
	Time time.Time
	// AnonymousID is the visitor, as the tracker or your own server calls them.
	AnonymousID string
	SessionID   string
	// Path of the page, or its whole address.
	Path string
	// Referrer is where the visitor came from, an address.
	Referrer string
	// UTMSource, UTMMedium and UTMCampaign are those of the address by which the visitor came.
	UTMSource   string
	UTMMedium   string
	UTMCampaign string
	// IP of the visitor, which is looked up for the place and forgotten, and UserAgent, from which the browser is read.
	IP        string
	UserAgent string
	// Properties are anything that encoding/json writes.
	Properties map[string]any
}

// mostEvents is how many events a call takes.
const mostEvents = 100

// Track sends events, of which each counts once, however often a try is repeated. The error is an *Error, with CodeValidation if the service
// took all but some events: Details names these by their index, such as "events[2]".
func (c *Client) Track(ctx context.Context, websiteID string, events ...Event) error {
	var refused []Detail
	for first := 0; first < len(events); first += mostEvents {
		part := events[first:min(first+mostEvents, len(events))]
		messages := make([]*lookoutv1.Event, len(part))
		for index, event := range part {
			messages[index] = &lookoutv1.Event{Payload: &lookoutv1.Event_Flat{Flat: event.message()}}
		}
		answer, err := c.Ingest.SendBatch(ctx, &lookoutv1.BatchRequest{WebsiteId: websiteID, Events: messages})
		if err != nil {
			return err
		}
		for index, result := range answer.Results {
			if result.Status == "error" {
				refused = append(refused, Detail{Field: fmt.Sprintf("events[%d]", first+index), Message: result.GetMessage()})
			}
		}
	}
	if refused == nil {
		return nil
	}
	message := fmt.Sprintf("%d of %d events are wrong. %s: %s", len(refused), len(events), refused[0].Field, refused[0].Message)
	return &Error{Code: CodeValidation, Message: message, Details: refused}
}

func (e Event) message() *lookoutv1.FlatEvent {
	message := &lookoutv1.FlatEvent{
		EventId: textOrNil(e.ID), Name: &e.Name, AnonymousId: textOrNil(e.AnonymousID), SessionId: textOrNil(e.SessionID),
		Path: textOrNil(e.Path), Referrer: textOrNil(e.Referrer), Ip: textOrNil(e.IP), UserAgent: textOrNil(e.UserAgent),
		UtmSource: textOrNil(e.UTMSource), UtmMedium: textOrNil(e.UTMMedium), UtmCampaign: textOrNil(e.UTMCampaign),
	}
	if e.ID == "" {
		message.EventId = Ptr(rand.Text())
	}
	if !e.Time.IsZero() {
		message.Timestamp = Ptr(float64(e.Time.UnixMilli()))
	}
	if e.Properties != nil {
		message.Properties = Properties(e.Properties)
	}
	return message
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
