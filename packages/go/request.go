package lookout

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// CallOption is what is different for one call.
type CallOption func(*callOptions)

type callOptions struct {
	header      http.Header
	timeout     time.Duration
	onHeader    func(http.Header)
	onReconnect func(failure *Error, wait time.Duration)
}

// WithTimeout lets a call take so long with all its tries, and a stream until its first message, instead of Options.Timeout.
func WithTimeout(timeout time.Duration) CallOption {
	return func(options *callOptions) { options.timeout = timeout }
}

// WithHeader adds a header to a call.
func WithHeader(name, value string) CallOption {
	return func(options *callOptions) { options.header.Add(name, value) }
}

// WithIdempotencyKey sets the key by which the service makes one object of all calls that have it, for a key that outlives this process.
func WithIdempotencyKey(key string) CallOption { return WithHeader(idempotencyHeader, key) }

// WithOnHeader gives the headers of the answer to a function, those of a stream with its first message. An error has those of its answer in the
// *connect.Error that errors.As finds.
func WithOnHeader(onHeader func(http.Header)) CallOption {
	return func(options *callOptions) { options.onHeader = onHeader }
}

// WithOnReconnect tells a function of each failure after which a stream is opened again, and how long it waits before.
func WithOnReconnect(onReconnect func(failure *Error, wait time.Duration)) CallOption {
	return func(options *callOptions) { options.onReconnect = onReconnect }
}

// asked is the request of a message, for one call: the client adds headers and ids of events to it, and the caller may use the message again.
func asked[Q any](ctx context.Context, message *Q, options []CallOption) (context.Context, *connect.Request[Q], callOptions) {
	set := callOptions{header: http.Header{}}
	for _, option := range options {
		option(&set)
	}
	if set.timeout != 0 {
		ctx = context.WithValue(ctx, timeoutKey{}, set.timeout)
	}
	if set.onReconnect != nil {
		ctx = context.WithValue(ctx, reconnectKey{}, set.onReconnect)
	}
	if message == nil {
		message = new(Q)
	}
	if with, ok := withEventIDs(any(message).(proto.Message)).(any).(*Q); ok {
		message = with
	}
	request := connect.NewRequest(message)
	for name, values := range set.header {
		request.Header()[name] = values
	}
	return ctx, request, set
}

// call makes a call of a message.
func call[Q, A any](
	ctx context.Context,
	make func(context.Context, *connect.Request[Q]) (*connect.Response[A], error),
	message *Q,
	options []CallOption,
) (*A, error) {
	ctx, request, set := asked(ctx, message, options)
	answer, err := make(ctx, request)
	if err != nil {
		return nil, err
	}
	if set.onHeader != nil {
		set.onHeader(answer.Header())
	}
	return answer.Msg, nil
}

// receive makes a call that streams its answer.
func receive[Q, A any](
	ctx context.Context,
	open func(context.Context, *connect.Request[Q]) (*connect.ServerStreamForClient[A], error),
	message *Q,
	options []CallOption,
) iter.Seq2[*A, error] {
	return func(yield func(*A, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		ctx, request, set := asked(ctx, message, options)
		stream, err := open(ctx, request)
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = stream.Close() }()
		for stream.Receive() {
			if set.onHeader != nil {
				set.onHeader(stream.ResponseHeader())
				set.onHeader = nil
			}
			// The next message does not overwrite this one.
			if !yield(proto.Clone(any(stream.Msg()).(proto.Message)).(any).(*A), nil) {
				return
			}
		}
		if err := stream.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// deleted is the answer of a call that deletes. When the answer of a try is lost and the next one finds nothing, the first has deleted.
func deleted[A any](answer *A, err error) (*A, error) {
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != CodeNotFound || !failure.isAfterLostAnswer {
		return answer, err
	}
	done := new(A)
	fields := any(done).(proto.Message).ProtoReflect()
	fields.Set(fields.Descriptor().Fields().ByName("success"), protoreflect.ValueOfBool(true))
	return done, nil
}
