package lookout

import (
	"crypto/rand"

	"google.golang.org/protobuf/proto"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// hasEventIDs says whether a message consists of events that all have an id: these are stored once, however often they are sent.
func hasEventIDs(message proto.Message) bool {
	ids, isOfEvents := eventIDs(message)
	if !isOfEvents {
		return false
	}
	for _, id := range ids {
		if id.get() == "" {
			return false
		}
	}
	return true
}

// withEventIDs is a copy of a message whose events without an id have a random one, or the message itself where none is needed.
func withEventIDs(message proto.Message) proto.Message {
	if _, isOfEvents := eventIDs(message); !isOfEvents || hasEventIDs(message) {
		return message
	}
	copied := proto.Clone(message)
	ids, _ := eventIDs(copied)
	for _, id := range ids {
		if id.get() == "" {
			id.set(rand.Text())
		}
	}
	return copied
}

// eventID is where an event has its id.
type eventID struct {
	get func() string
	set func(string)
}

// eventIDs are those of the events in a message. Other messages have none.
func eventIDs(message proto.Message) (ids []eventID, isOfEvents bool) {
	optional := func(field **string) {
		get := func() string {
			if *field == nil {
				return ""
			}
			return **field
		}
		ids = append(ids, eventID{get, func(id string) { *field = &id }})
	}
	switch message := message.(type) {
	case *lookoutv1.TrackRequest:
		for _, event := range message.GetEvents() {
			if event != nil {
				optional(&event.EventId)
			}
		}
	case *lookoutv1.CollectRequest:
		if message.GetEvent() != nil {
			optional(&message.Event.EventId)
		}
	case *lookoutv1.BatchRequest:
		for _, event := range message.GetEvents() {
			switch {
			case event.GetTrack() != nil:
				optional(&event.GetTrack().EventId)
			case event.GetFlat() != nil:
				optional(&event.GetFlat().EventId)
			case event.GetOutgoingLink() != nil:
				link := event.GetOutgoingLink()
				ids = append(ids, eventID{link.GetEventId, func(id string) { link.EventId = id }})
			}
		}
	default:
		return nil, false
	}
	return ids, true
}
