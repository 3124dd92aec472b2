package lookout

import (
	"context"
	"net/http"
	"sync/atomic"

	"connectrpc.com/connect"
)

// notedAnswer is what came over HTTP. Connect forgets it where the answer is not Lookout's, but that of a proxy.
type notedAnswer struct {
	answer atomic.Pointer[http.Response]
}

type notedKey struct{}

func (n *notedAnswer) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, notedKey{}, n)
}

// status is 0 without an answer.
func (n *notedAnswer) status() int {
	if answer := n.answer.Load(); answer != nil {
		return answer.StatusCode
	}
	return 0
}

func (n *notedAnswer) header() http.Header {
	if answer := n.answer.Load(); answer != nil {
		return answer.Header
	}
	return nil
}

// notingClient notes each answer in the notedAnswer of its request's context.
type notingClient struct {
	connect.HTTPClient
}

func (n notingClient) Do(request *http.Request) (*http.Response, error) {
	answer, err := n.HTTPClient.Do(request)
	if noted, ok := request.Context().Value(notedKey{}).(*notedAnswer); ok && err == nil {
		noted.answer.Store(answer)
	}
	return answer, err
}
