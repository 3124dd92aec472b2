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
	// SessionID is one of your own that stays the same for a visit. Without it and AnonymousID, IP and UserAgent recognise the visitor.
	SessionID string
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
	// Properties are anything that encoding/json writes; whole numbers beyond 2^53 are rounded, unless they are texts. One that has no JSON, such
	// as NaN, or a text above that is not UTF-8, is refused by its name.
	Properties map[string]any
}

// message is the event as it is sent. It fails for a property without JSON and for a text that is not UTF-8, and names it after the field that
// the event is.
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
	details := wrongTexts(message)
	for index := range details {
		details[index].Field = field + "." + details[index].Field
	}
	if e.Properties != nil {
		properties, wrong := propertiesOf(field+".properties", e.Properties)
		message.Properties, details = properties, append(details, wrong...)
	}
	if details != nil {
		return nil, wrongFields(details, nil)
	}
	return message, nil
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
