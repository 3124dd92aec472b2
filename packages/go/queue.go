package lookout

import (
	"context"
	"crypto/rand"
	"log"
	"sync"
	"time"

	lookoutv1 "lookout.dev/client/lookout/v1"
)

// mostEventAge is how old a waiting event may get: the service recognizes ids for 24 hours.
const mostEventAge = 23 * time.Hour

// EventQueueOptions are those of NewEventQueue.
type EventQueueOptions struct {
	// MaxEvents is how many events wait at most, 10,000 by default. Further ones are dropped.
	MaxEvents int
	// FlushInterval is how long an event waits for others to be sent with, 1 s by default. 100 events do not wait.
	FlushInterval time.Duration
	// OnDropped gets events that are not and will not be stored, and why: Details of err name them by their index in events. By default they
	// are logged.
	OnDropped func(events []Event, err *Error)
	// OnBlocked gets what somebody has to change before events can be sent, such as a wrong key, a certificate that is not trusted or a proxy
	// that refuses, once for each code until events are sent again. They wait, and are tried again. By default it is logged.
	OnBlocked func(err *Error)
}

// EventQueue sends events in the background, in batches and in order, again until they have arrived. Each counts once. It may be used by
// several goroutines.
type EventQueue struct {
	client    *Client
	websiteID string
	options   EventQueueOptions
	ctx       context.Context
	cancel    context.CancelFunc

	mutex   sync.Mutex
	waiting []waitingEvent
	// changed is closed, and another one made, when anything below has changed.
	changed   chan struct{}
	isRunning bool
	isClosed  bool
	isBlocked bool
	// due is when the next batch is sent.
	due      time.Time
	failures int
	// most is how many events a call has at most: fewer once a proxy has refused that many as too large.
	most int
	// single is how many of the next events are sent alone, since the service refused their batch as a whole.
	single int
	// blockedBy is the code that OnBlocked was called for.
	blockedBy string
	// How many events were taken, and how many of them, the first ones, are not to wait for others.
	taken, hurried int
	// How many batches were tried, and how the last one failed.
	tries     int
	lastError *Error
}

// waitingEvent is an event as it was when it was tracked, whatever becomes of its properties.
type waitingEvent struct {
	event   Event
	message *lookoutv1.FlatEvent
	since   time.Time
	// number is that of the event among all that were taken, from 1.
	number int
}

func eventsOf(waiting []waitingEvent) []Event {
	events := make([]Event, len(waiting))
	for index, each := range waiting {
		events[index] = each.event
	}
	return events
}

// NewEventQueue makes a queue of events of a website. Close it before the program ends.
func (c *Client) NewEventQueue(websiteID string, options EventQueueOptions) *EventQueue {
	if options.MaxEvents <= 0 {
		options.MaxEvents = 10_000
	}
	if options.FlushInterval <= 0 {
		options.FlushInterval = time.Second
	}
	if options.OnDropped == nil {
		options.OnDropped = func(events []Event, err *Error) { log.Printf("lookout: %d events were dropped: %v", len(events), err) }
	}
	if options.OnBlocked == nil {
		options.OnBlocked = func(err *Error) { log.Printf("lookout: events cannot be sent and wait: %v", err) }
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &EventQueue{client: c, websiteID: websiteID, options: options, ctx: ctx, cancel: cancel, changed: make(chan struct{}), most: mostEvents}
}

// Track puts an event into the queue and returns at once. The error is an *Error, which OnDropped gets too: with CodeValidation if the event has
// no name, a property without JSON or a text that is not UTF-8, which Details name, and with CodeQueueFull if the queue is full or closed.
func (q *EventQueue) Track(event Event) error {
	if event.ID == "" {
		event.ID = rand.Text()
	}
	if event.Time.IsZero() {
		event.Time = time.Now()
	}
	message, failure := event.message("event")
	if event.Name == "" {
		failure = wrongFields([]Detail{{Field: "event.name", Message: "is empty"}}, nil)
	}
	if failure == nil {
		failure = q.add(waitingEvent{event: event, message: message, since: time.Now()})
	}
	if failure != nil {
		q.options.OnDropped([]Event{event}, failure)
		return failure
	}
	return nil
}

func (q *EventQueue) add(event waitingEvent) *Error {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.isClosed {
		return &Error{Code: CodeQueueFull, Message: "the queue of events is closed"}
	}
	if len(q.waiting) >= q.options.MaxEvents {
		return &Error{Code: CodeQueueFull, Message: "the queue of events is full", cause: causeOf(q.lastError)}
	}
	q.taken++
	event.number = q.taken
	q.waiting = append(q.waiting, event)
	if q.failures == 0 && len(q.waiting) == 1 {
		q.due = time.Now().Add(q.options.FlushInterval)
	}
	if q.failures == 0 && len(q.waiting) >= mostEvents {
		q.due = time.Now()
	}
	if !q.isRunning {
		q.isRunning = true
		go q.run()
	}
	q.tell()
	return nil
}

// Len is how many events wait.
func (q *EventQueue) Len() int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return len(q.waiting)
}

// Flush sends what waits, and returns when all that was tracked before was sent or dropped. The error is an *Error, after which the events
// still wait: that of the context's end, or at once one that waiting does not mend, such as CodeInvalidAPIKey.
func (q *EventQueue) Flush(ctx context.Context) error {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	last, tries := q.taken, q.tries
	q.due, q.hurried = time.Now(), last
	q.tell()
	for q.finished() < last {
		if q.isBlocked && q.tries > tries {
			return q.lastError
		}
		changed := q.changed
		q.mutex.Unlock()
		var end error
		select {
		case <-changed:
		case <-ctx.Done():
			end = ctx.Err()
		}
		q.mutex.Lock()
		if end == context.Canceled {
			return cancelled(end)
		}
		if end != nil {
			return q.late()
		}
	}
	return nil
}

// Close sends what waits for as long as the context allows, drops what could not be sent, and takes no further events. The error is that of
// Flush.
func (q *EventQueue) Close(ctx context.Context) error {
	q.mutex.Lock()
	q.isClosed = true
	q.mutex.Unlock()
	err := q.Flush(ctx)
	q.cancel()
	q.mutex.Lock()
	left := q.waiting
	q.waiting = nil
	q.tell()
	q.mutex.Unlock()
	if failure, ok := err.(*Error); ok && len(left) > 0 {
		q.options.OnDropped(eventsOf(left), failure)
	}
	return err
}

// finished is how many events, the first ones, were sent or dropped.
func (q *EventQueue) finished() int {
	if len(q.waiting) == 0 {
		return q.taken
	}
	return q.waiting[0].number - 1
}

// tell wakes all who wait for a change.
func (q *EventQueue) tell() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// late is the error of a wait that ended too soon, and why the last try failed.
func (q *EventQueue) late() *Error {
	message := "the events were not sent in time"
	if q.lastError != nil {
		message += ". The last try: " + q.lastError.Error()
	}
	return &Error{Code: CodeTimeout, Message: message, cause: causeOf(q.lastError)}
}

func causeOf(failure *Error) error {
	if failure == nil {
		return nil
	}
	return failure
}
