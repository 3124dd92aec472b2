package lookout

import (
	"context"
	"errors"
	"io"
	"time"

	"connectrpc.com/connect"
)

func (c *calls) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		noted, timeout := &notedAnswer{}, c.timeoutOf(ctx)
		ctx, cancel := context.WithCancelCause(noted.in(ctx))
		conn := next(ctx, spec)
		c.authorize(conn.RequestHeader())
		late := time.AfterFunc(timeout, func() { cancel(errLate) })
		return &stream{conn, c, ctx, cancel, noted, timeout, late, false}
	}
}

// errLate is why a stream is cancelled whose first message does not come in time.
var errLate = connect.NewError(connect.CodeDeadlineExceeded, errors.New("no message came in time"))

// stream ends with the timeout if the request or the first message takes longer, and has errors of the type *Error.
type stream struct {
	connect.StreamingClientConn
	calls    *calls
	ctx      context.Context
	cancel   context.CancelCauseFunc
	noted    *notedAnswer
	timeout  time.Duration
	late     *time.Timer
	hasBegun bool
}

func (s *stream) Send(message any) error {
	err := s.StreamingClientConn.Send(message)
	s.late.Stop()
	return s.errorOf(err)
}

func (s *stream) Receive(message any) error {
	if !s.hasBegun {
		s.late.Reset(s.timeout)
	}
	err := s.StreamingClientConn.Receive(message)
	s.late.Stop()
	s.hasBegun = true
	return s.errorOf(err)
}

func (s *stream) CloseResponse() error {
	s.late.Stop()
	s.cancel(nil)
	return s.StreamingClientConn.CloseResponse()
}

// errorOf leaves the end of a stream as it is.
func (s *stream) errorOf(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	if context.Cause(s.ctx) == errLate {
		err = errLate
	}
	return newError(s.calls.baseURL, err, s.noted)
}
