package lookout

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"
)

type reconnectKey struct{}

// WithOnReconnect is a context whose streams report each failure after which they are opened again, and how long they wait before.
func WithOnReconnect(ctx context.Context, onReconnect func(failure *Error, wait time.Duration)) context.Context {
	return context.WithValue(ctx, reconnectKey{}, onReconnect)
}

func (c *calls) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		ctx, cancel := context.WithCancel(ctx)
		s := &stream{calls: c, ctx: ctx, cancel: cancel, spec: spec, next: next, timeout: c.timeoutOf(ctx)}
		s.end = time.Now().Add(s.timeout)
		s.open()
		return s
	}
}

// errLate is why a stream is cancelled whose first message does not come in time.
var errLate = connect.NewError(connect.CodeDeadlineExceeded, errors.New("no message came in time"))

// stream opens its connection again after a failure that passes: as often as a call is repeated until the first message, and a watch as
// often as needed afterwards. It ends with the timeout if the first message takes longer, and has errors of the type *Error.
type stream struct {
	connect.StreamingClientConn
	calls    *calls
	ctx      context.Context
	cancel   context.CancelFunc
	spec     connect.Spec
	next     connect.StreamingClientFunc
	timeout  time.Duration
	message  any
	failures int
	hasBegun bool
	// What belongs to one connection.
	noted *notedAnswer
	try   context.Context
	late  *time.Timer
	end   time.Time
}

func (s *stream) open() {
	var before http.Header
	if s.StreamingClientConn != nil {
		before = s.RequestHeader()
		_ = s.StreamingClientConn.CloseResponse()
	}
	s.noted = &notedAnswer{}
	try, cancel := context.WithCancelCause(s.noted.in(s.ctx))
	s.try = try
	s.late = time.AfterFunc(time.Until(s.end), func() { cancel(errLate) })
	s.StreamingClientConn = s.next(try, s.spec)
	for name, values := range before {
		s.RequestHeader()[name] = values
	}
	s.calls.authorize(s.RequestHeader())
}

func (s *stream) Send(message any) error {
	if s.calls.refused != nil {
		return s.calls.refused
	}
	s.message = message
	for {
		err := s.StreamingClientConn.Send(message)
		if err == nil || errors.Is(err, io.EOF) {
			return err
		}
		if failure := s.again(err); failure != nil {
			return failure
		}
	}
}

func (s *stream) Receive(message any) error {
	for {
		err := s.StreamingClientConn.Receive(message)
		if err == nil {
			s.late.Stop()
			s.hasBegun, s.failures = true, 0
			return nil
		}
		if errors.Is(err, io.EOF) {
			s.late.Stop()
			return err
		}
		if failure := s.again(err); failure != nil {
			return failure
		}
		if err := s.Send(s.message); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		// A failure is that of the next Receive too.
		_ = s.CloseRequest()
	}
}

func (s *stream) CloseResponse() error {
	s.late.Stop()
	s.cancel()
	return s.StreamingClientConn.CloseResponse()
}

// again opens the connection again after a failure, or returns it as an *Error.
func (s *stream) again(err error) error {
	s.late.Stop()
	if context.Cause(s.try) == errLate {
		err = errLate
	}
	failure := newError(s.calls.baseURL, err, s.noted)
	s.failures++
	if s.ctx.Err() != nil || !s.mayOpenAgain() || !failure.IsTemporary() || failure.RetryAfter > mostWait {
		return failure
	}
	wait := waitBefore(failure, s.failures)
	if !s.hasBegun && time.Until(s.end) < wait {
		return failure
	}
	if onReconnect, ok := s.ctx.Value(reconnectKey{}).(func(*Error, time.Duration)); ok {
		onReconnect(failure, wait)
	}
	if !sleep(s.ctx, wait) {
		if s.ctx.Err() == context.Canceled {
			return cancelled(s.ctx.Err())
		}
		return failure
	}
	if s.hasBegun {
		s.end = time.Now().Add(s.timeout)
	}
	s.open()
	return nil
}

func (s *stream) mayOpenAgain() bool {
	if s.calls.maxRetries < 0 || s.spec.IdempotencyLevel == connect.IdempotencyUnknown {
		return false
	}
	if s.hasBegun {
		return strings.Contains(s.spec.Procedure, "/Watch")
	}
	return s.failures <= s.calls.maxRetries
}
