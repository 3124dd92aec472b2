package lookout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// keepAliveSeconds is how often the service is asked to send something on a watch on which nothing happens.
const keepAliveSeconds = 30

// reconnectKey is where the context of a stream has the function of WithOnReconnect.
type reconnectKey struct{}

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
	// mostQuiet is how long a watch may be quiet after a message, and 0 before its first message and for other streams.
	mostQuiet time.Duration
	// What belongs to one connection.
	noted *notedAnswer
	try   context.Context
	drop  context.CancelCauseFunc
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
	s.try, s.drop = try, cancel
	s.mostQuiet = 0
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
	if watch, ok := message.(*lookoutv1.WatchRequest); ok && watch.KeepAliveSeconds == nil {
		own := proto.Clone(watch).(*lookoutv1.WatchRequest)
		own.KeepAliveSeconds = proto.Uint32(keepAliveSeconds)
		message = own
	}
	s.message = message
	for {
		err := s.StreamingClientConn.Send(message)
		if err == nil || errors.Is(err, io.EOF) {
			return err
		}
		if failure := unsent(err, message); failure != nil {
			return failure
		}
		if failure := s.again(err); failure != nil {
			return failure
		}
	}
}

func (s *stream) Receive(message any) error {
	for {
		err := s.receive(message)
		if err == nil && s.isOnlySign(message) {
			continue
		}
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

// receive waits for the next message of this connection, which is lost if it is quiet for too long.
func (s *stream) receive(message any) error {
	if s.mostQuiet > 0 {
		drop := s.drop
		quiet := time.AfterFunc(s.mostQuiet, func() { drop(errLate) })
		defer quiet.Stop()
	}
	return s.StreamingClientConn.Receive(message)
}

// isOnlySign says whether a message only keeps a watch alive. From the first message on the watch is lost when nothing comes for too long:
// HTTP/1.1 has no pings, and proxies answer those of HTTP/2.
func (s *stream) isOnlySign(message any) bool {
	answer, isAnswer := message.(*lookoutv1.WatchResponse)
	watch, isWatch := s.message.(*lookoutv1.WatchRequest)
	if !isAnswer || !isWatch {
		return false
	}
	s.mostQuiet = time.Duration(watch.GetKeepAliveSeconds()) * time.Second * 5 / 2
	return answer.Answer == nil
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
	failure := s.calls.newError(err, s.noted, s.spec)
	if err == errLate && s.mostQuiet > 0 {
		failure.Message = fmt.Sprintf("nothing came of the stream for %v, so its connection counts as lost", s.mostQuiet)
	}
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
