package webhook

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event is what a webhook tells: one of the types below, to be found with a type switch.
type Event interface{ head() Head }

// Head is what every event has.
type Head struct {
	// ID is the header webhook-id. A repeat of the same message has the same one, so a receiver that has seen it can skip it.
	ID string
	// Timestamp is when it happened. Messages that waited can arrive after later ones.
	Timestamp time.Time
}

func (h Head) head() Head { return h }

// HeadOf is what every event has.
func HeadOf(event Event) Head { return event.head() }

// IncidentOpened means that a monitor's checks fail.
type IncidentOpened struct {
	Head
	// Monitor is the one whose checks fail, or failed.
	Monitor Monitor
	// Incident is the time in which they do.
	Incident Incident
}

// IncidentEscalated means that an incident is still open and not acknowledged, so many minutes after it opened.
type IncidentEscalated struct {
	Head
	// Monitor is the one whose checks fail.
	Monitor Monitor
	// Incident is still open.
	Incident Incident
	// AfterMinutes is how many minutes after the incident opened the message is due.
	AfterMinutes int
}

// IncidentResolved means that an incident is over.
type IncidentResolved struct {
	Head
	// Monitor is the one whose checks fail, or failed.
	Monitor Monitor
	// Incident is the time in which they do.
	Incident Incident
}

// CertificateExpiring means that the certificate of a monitor's address ends soon.
type CertificateExpiring struct {
	Head
	// Monitor is the one whose address has the certificate.
	Monitor Monitor
	// ExpiresAt is when the certificate ends.
	ExpiresAt time.Time
}

// Test is the message of a test of the channel.
type Test struct {
	Head
	// Text is what a person reads.
	Text string
}

// Unknown is an event that a later version of Lookout sends.
type Unknown struct {
	Head
	// Type is the name of the event, such as "incident.opened".
	Type string
	// Data is the JSON that the types above are read from.
	Data json.RawMessage
}

// Monitor is what is checked.
type Monitor struct {
	// ID is the one that the API calls it by.
	ID string `json:"id"`
	// Name is what people call it.
	Name string `json:"name"`
	// URL is its address without the query.
	URL string `json:"url"`
	// WebsiteID is the website that it belongs to.
	WebsiteID string `json:"websiteId"`
}

// Incident is a time in which a monitor's checks failed.
type Incident struct {
	// ID is the one that the API calls it by.
	ID string `json:"id"`
	// URL is its page in the web app.
	URL string `json:"url"`
	// StartedAt is the time of the first check that failed.
	StartedAt time.Time `json:"startedAt"`
	// ResolvedAt is nil while it is open.
	ResolvedAt *time.Time `json:"resolvedAt"`
	// DurationMs is how long it lasted until the message, or in all, ms.
	DurationMs int64 `json:"durationMs"`
	// FirstError is why the first check failed.
	FirstError string `json:"firstError"`
	// ChecksAffected is how many checks failed.
	ChecksAffected int `json:"checksAffected"`
	// Regions are those from which checks failed.
	Regions []string `json:"regions"`
}

// read reads a body whose signature is right.
func read(id string, body []byte) (Event, error) {
	var message struct {
		Type      string          `json:"type"`
		Timestamp time.Time       `json:"timestamp"`
		Data      json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(body, &message); err != nil {
		return nil, fmt.Errorf("the webhook's body is not one of Lookout: %w", err)
	}
	var data struct {
		Monitor      Monitor  `json:"monitor"`
		Incident     Incident `json:"incident"`
		AfterMinutes int      `json:"afterMinutes"`
		Certificate  struct {
			ExpiresAt time.Time `json:"expiresAt"`
		} `json:"certificate"`
		Text string `json:"text"`
	}
	head := Head{id, message.Timestamp}
	if err := json.Unmarshal(message.Data, &data); err != nil {
		return nil, fmt.Errorf("the webhook's data is not one of Lookout: %w", err)
	}
	switch message.Type {
	case "incident.opened":
		return &IncidentOpened{head, data.Monitor, data.Incident}, nil
	case "incident.escalated":
		return &IncidentEscalated{head, data.Monitor, data.Incident, data.AfterMinutes}, nil
	case "incident.resolved":
		return &IncidentResolved{head, data.Monitor, data.Incident}, nil
	case "certificate.expiring":
		return &CertificateExpiring{head, data.Monitor, data.Certificate.ExpiresAt}, nil
	case "test":
		return &Test{head, data.Text}, nil
	}
	return &Unknown{head, message.Type, message.Data}, nil
}
