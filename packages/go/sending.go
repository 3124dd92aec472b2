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
			count := min(len(q.waiting), q.most)
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
	q.isBlocked = failure != nil && failure.isBlocking()
	isNews := q.isBlocked && q.blockedBy != failure.Code
	dropped, reason := []waitingEvent(nil), failure
	switch {
	case failure == nil:
		q.blockedBy = ""
		if refused.indices != nil {
			dropped = chosen(batch, refused.indices)
			reason = refused.alone().failure(len(dropped))
		}
		q.leave(len(batch))
	case q.isBlocked || failure.mayPass():
		q.failures++
		q.due = time.Now().Add(waitBefore(failure, min(q.failures, 8)))
		for len(q.waiting) > len(dropped) && time.Since(q.waiting[len(dropped)].since) > mostEventAge {
			dropped = append(dropped, q.waiting[len(dropped)])
		}
		q.waiting = q.waiting[len(dropped):]
	case failure.isTooLarge() && len(batch) > 1:
		q.most = len(batch) / 2
		q.due = time.Now()
	case len(batch) > 1:
		if indices := failure.culprits(len(batch)); len(indices) > 0 {
			dropped, reason = chosen(batch, indices), failure.about(indices)
			q.refuse(indices)
			break
		}
		// The service does not say which of them is wrong.
		q.single = len(batch)
		q.due = time.Now()
	default:
		dropped = batch
		q.leave(1)
	}
	if isNews {
		q.blockedBy = failure.Code
	}
	q.tell()
	q.mutex.Unlock()
	if isNews {
		q.options.OnBlocked(failure)
	}
	if len(dropped) > 0 {
		q.options.OnDropped(eventsOf(dropped), reason)
	}
}

func chosen(batch []waitingEvent, indices []int) []waitingEvent {
	events := make([]waitingEvent, len(indices))
	for place, index := range indices {
		events[place] = batch[index]
	}
	return events
}

// refuse takes events out of the queue, of which the first ones were sent.
func (q *EventQueue) refuse(indices []int) {
	for _, index := range slices.Backward(indices) {
		q.waiting = slices.Delete(q.waiting, index, index+1)
	}
	q.failures = 0
	q.due = time.Now()
}

// leave takes the first events out of the queue.
func (q *EventQueue) leave(count int) {
	q.waiting = q.waiting[count:]
	q.failures = 0
	q.single = max(0, q.single-count)
	q.due = time.Now()
	if q.finished() >= q.hurried && q.single == 0 && len(q.waiting) < mostEvents {
		q.due = q.due.Add(q.options.FlushInterval)
	}
}
