package lookout

import (
	"slices"
	"time"

	lookoutv1 "lookout.dev/client/lookout/v1"
)

// run sends batches until the queue is closed.
func (q *EventQueue) run() {
	for q.ctx.Err() == nil {
		q.mutex.Lock()
		wait, changed := time.Until(q.due), q.changed
		if len(q.waiting) == 0 {
			wait = time.Hour
		}
		if wait <= 0 {
			count := min(len(q.waiting), mostEvents)
			if q.single > 0 {
				count = 1
			}
			batch := slices.Clone(q.waiting[:count])
			q.mutex.Unlock()
			q.send(batch)
			continue
		}
		q.mutex.Unlock()
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-changed:
		case <-q.ctx.Done():
		}
		timer.Stop()
	}
}

// send sends the first events of the queue. They leave it when it is known what has become of them.
func (q *EventQueue) send(batch []waitingEvent) {
	messages := make([]*lookoutv1.FlatEvent, len(batch))
	for index, each := range batch {
		messages[index] = each.message
	}
	refused, failure := q.client.sendEvents(q.ctx, q.websiteID, messages)
	q.mutex.Lock()
	if q.ctx.Err() != nil {
		q.mutex.Unlock()
		return
	}
	q.tries++
	q.lastError = failure
	wasBlocked := q.isBlocked
	q.isBlocked = failure != nil && failure.isBlocking()
	dropped, reason := []waitingEvent(nil), failure
	switch {
	case failure == nil:
		for _, index := range refused.indices {
			dropped = append(dropped, batch[index])
		}
		if dropped != nil {
			reason = refused.alone().failure(len(dropped))
		}
		q.leave(len(batch))
	case q.isBlocked || failure.IsTemporary():
		q.failures++
		q.due = time.Now().Add(waitBefore(failure, min(q.failures, 8)))
		for len(q.waiting) > len(dropped) && time.Since(q.waiting[len(dropped)].since) > mostEventAge {
			dropped = append(dropped, q.waiting[len(dropped)])
		}
		q.waiting, q.finished = q.waiting[len(dropped):], q.finished+len(dropped)
	case len(batch) > 1:
		// One of them, or their size, is wrong.
		q.single = len(batch)
		q.due = time.Now()
	default:
		dropped = batch
		q.leave(1)
	}
	blocked := q.isBlocked && !wasBlocked
	q.tell()
	q.mutex.Unlock()
	if blocked {
		q.options.OnBlocked(failure)
	}
	if len(dropped) > 0 {
		q.options.OnDropped(eventsOf(dropped), reason)
	}
}

// leave takes the first events out of the queue.
func (q *EventQueue) leave(count int) {
	q.waiting = q.waiting[count:]
	q.finished += count
	q.failures = 0
	q.single = max(0, q.single-count)
	q.due = time.Now()
	if q.finished >= q.hurried && q.single == 0 && len(q.waiting) < mostEvents {
		q.due = q.due.Add(q.options.FlushInterval)
	}
}

// isBlocking says whether the failure is one of the key, the website or the connection, and not of the events: somebody can mend it while they
// wait.
func (e *Error) isBlocking() bool {
	switch e.Code {
	case CodeAuthRequired, CodeInvalidAPIKey, CodeAccessDenied, CodeUnauthorized, CodeForbidden, CodeMissingWebsiteID, CodeNotFound:
		return true
	}
	return e.isLasting
}
