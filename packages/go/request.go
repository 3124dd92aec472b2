package lookout

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// CallOption is what is different for one call.
type CallOption func(*callOptions)

type callOptions struct {
	header   http.Header
	timeout  time.Duration
	onHeader func(http.Header)
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

// WithOnHeader gives the headers of the answer to a function.
func WithOnHeader(onHeader func(http.Header)) CallOption {
	return func(options *callOptions) { options.onHeader = onHeader }
}

// copied is a request of its own for one call: the client adds headers and ids to it, and the caller may use theirs again.
func copied[Q any](request *connect.Request[Q]) *connect.Request[Q] {
	message := request.Msg
	if with, ok := withEventIDs(any(message).(proto.Message)).(any).(*Q); ok {
		message = with
	}
	own := connect.NewRequest(message)
	for name, values := range request.Header() {
		own.Header()[name] = slices.Clone(values)
	}
	return own
}

// asked is the request of a message.
func asked[Q any](ctx context.Context, message *Q, options []CallOption) (context.Context, *connect.Request[Q], callOptions) {
	set := callOptions{header: http.Header{}}
	for _, option := range options {
		option(&set)
	}
	if set.timeout != 0 {
		ctx = WithCallTimeout(ctx, set.timeout)
	}
	if message == nil {
		message = new(Q)
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
		ctx, request, _ := asked(ctx, message, options)
		stream, err := open(ctx, request)
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = stream.Close() }()
		for stream.Receive() {
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
func deleted[A any](answer *connect.Response[A], err error) (*connect.Response[A], error) {
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != CodeNotFound || !failure.isAfterLostAnswer {
		return answer, err
	}
	done := new(A)
	fields := any(done).(proto.Message).ProtoReflect()
	fields.Set(fields.Descriptor().Fields().ByName("success"), protoreflect.ValueOfBool(true))
	return connect.NewResponse(done), nil
}
