package lookout

import (
	"context"
	"crypto/rand"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
)

// calls adds the key and the timeout to each call, repeats it where that is allowed, and turns its error into an *Error.
type calls struct {
	baseURL    string
	apiKey     string
	timeout    time.Duration
	maxRetries int
	// refused is what is wrong with the options: the error of every call.
	refused *Error
}

// timeoutKey is where the context of a call has the timeout of WithTimeout.
type timeoutKey struct{}

func (c *calls) timeoutOf(ctx context.Context) time.Duration {
	if timeout, ok := ctx.Value(timeoutKey{}).(time.Duration); ok {
		return timeout
	}
	return c.timeout
}

func (c *calls) authorize(header http.Header) {
	if c.apiKey != "" {
		header.Set("Authorization", "Bearer "+c.apiKey)
	}
}

func (c *calls) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
		if c.refused != nil {
			return nil, c.refused
		}
		ctx, cancel := context.WithTimeout(ctx, c.timeoutOf(ctx))
		defer cancel()
		c.authorize(request.Header())
		mayRepeat := prepareRepeats(request)
		isAnswerLost := false
		for failures := 1; ; failures++ {
			noted := &notedAnswer{}
			response, err := next(noted.in(ctx), request)
			if err == nil {
				return response, nil
			}
			if failure := unsent(err, request.Any()); failure != nil {
				return nil, failure
			}
			failure := c.newError(err, noted, request.Spec())
			failure.isAfterLostAnswer = isAnswerLost
			isAnswerLost = isAnswerLost || failure.Code == CodeBadAnswer
			if !mayRepeat || failures > c.maxRetries || !failure.IsTemporary() || failure.RetryAfter > mostWait {
				return nil, failure
			}
			if !sleep(ctx, waitBefore(failure, failures)) {
				if ctx.Err() == context.Canceled {
					failure = cancelled(ctx.Err())
				}
				return nil, failure
			}
		}
	}
}

func (c *calls) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

const idempotencyHeader = "Idempotency-Key"

// prepareRepeats says whether a call may be made more than once. A creating call may, since all its tries get the same key, by which the
// service makes one object of them, and events may, since they have ids.
func prepareRepeats(request connect.AnyRequest) bool {
	if request.Spec().IdempotencyLevel != connect.IdempotencyUnknown {
		return true
	}
	message, ok := request.Any().(proto.Message)
	if !ok {
		return false
	}
	if hasEventIDs(message) {
		return true
	}
	fields := message.ProtoReflect()
	field := fields.Descriptor().Fields().ByName("idempotency_key")
	if field == nil {
		return false
	}
	if !fields.Has(field) && request.Header().Get(idempotencyHeader) == "" {
		request.Header().Set(idempotencyHeader, rand.Text())
	}
	return true
}
