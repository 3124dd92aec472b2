package lookout

import (
	"crypto/rand"
	"time"

	lookoutv1 "lookout.dev/client/lookout/v1"
)

// PageView is the name of the event that counts as the view of a page.
const PageView = "page_view"

// Event is something that a visitor did. Only Name is required.
type Event struct {
	// Name of what happened, such as "signed_up", or PageView.
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
	// Title of the page.
	Title string
	// Referrer is where the visitor came from, an address.
	Referrer string
	// Language of the visitor, such as "en-US", and their IANA time zone.
	Language string
	Timezone string
	// UTMSource and the other tags are those of the address by which the visitor came.
	UTMSource   string
	UTMMedium   string
	UTMCampaign string
	UTMTerm     string
	UTMContent  string
	// IP of the visitor, which is looked up for the place and forgotten, and UserAgent, from which the browser is read.
	IP        string
	UserAgent string
	// Browser, OS and Device ("desktop", "mobile", "tablet" or "tv") instead of a UserAgent.
	Browser string
	OS      string
	Device  string
	// Country (ISO 3166-1 alpha-2), Region and City (English names) instead of an IP.
	Country string
	Region  string
	City    string
	// Properties are anything that encoding/json writes.
	Properties map[string]any
	// queued is when the event came into a queue.
	queued time.Time
}

// message is the event as it is sent. It fails for a property without JSON, and names it after the field that the event is.
func (e Event) message(field string) (*lookoutv1.FlatEvent, *Error) {
	message := &lookoutv1.FlatEvent{
		EventId: textOrNil(e.ID), Name: &e.Name, AnonymousId: textOrNil(e.AnonymousID), SessionId: textOrNil(e.SessionID),
		Path: textOrNil(e.Path), Title: textOrNil(e.Title), Referrer: textOrNil(e.Referrer), Language: textOrNil(e.Language),
		Timezone: textOrNil(e.Timezone), UtmSource: textOrNil(e.UTMSource), UtmMedium: textOrNil(e.UTMMedium),
		UtmCampaign: textOrNil(e.UTMCampaign), UtmTerm: textOrNil(e.UTMTerm), UtmContent: textOrNil(e.UTMContent),
		Ip: textOrNil(e.IP), UserAgent: textOrNil(e.UserAgent), Browser: textOrNil(e.Browser), Os: textOrNil(e.OS), Device: textOrNil(e.Device),
		Country: textOrNil(e.Country), Region: textOrNil(e.Region), City: textOrNil(e.City),
	}
	if e.ID == "" {
		message.EventId = Ptr(rand.Text())
	}
	if !e.Time.IsZero() {
		message.Timestamp = Ptr(float64(e.Time.UnixMilli()))
	}
	if e.Properties != nil {
		message.Properties = Properties(e.Properties)
		for name, value := range e.Properties {
			if err := hasJSON(value); err != nil {
				path := field + ".properties." + name
				text := "has no JSON: " + err.Error()
				return nil, &Error{Code: CodeValidation, Message: path + " " + text, Details: []Detail{{Field: path, Message: text}}, cause: err}
			}
		}
	}
	return message, nil
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
