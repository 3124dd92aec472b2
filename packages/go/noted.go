package lookout

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"

	"connectrpc.com/connect"
)

// notedAnswer is what came over HTTP. Connect forgets it where the answer is not Lookout's, but that of a proxy.
type notedAnswer struct {
	answer atomic.Pointer[http.Response]
	isSent atomic.Bool
}

type notedKey struct{}

func (n *notedAnswer) in(ctx context.Context) context.Context {
	trace := &httptrace.ClientTrace{WroteHeaders: func() { n.isSent.Store(true) }}
	return context.WithValue(httptrace.WithClientTrace(ctx, trace), notedKey{}, n)
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

// hasBrokenOff says whether the request was sent, and nothing came or the beginning of an answer of Lookout.
func (n *notedAnswer) hasBrokenOff() bool {
	kind := n.header().Get("Content-Type")
	isAPI := strings.HasPrefix(kind, "application/") && !strings.HasPrefix(kind, "application/xhtml")
	return n.isSent.Load() && (n.status() == 0 || n.status() == http.StatusOK && isAPI)
}

// notingClient notes each answer in the notedAnswer of its request's context, and names the client to the service.
type notingClient struct {
	connect.HTTPClient
}

func (n notingClient) Do(request *http.Request) (*http.Response, error) {
	// Connect's own name stays. A name that the caller has set stays alone.
	if agent := request.Header.Get("User-Agent"); strings.HasPrefix(agent, "connect-go/") || strings.HasPrefix(agent, "grpc-go-connect/") {
		request.Header.Set("User-Agent", "lookout-go/"+Version+" "+agent)
	}
	answer, err := n.HTTPClient.Do(request)
	if noted, ok := request.Context().Value(notedKey{}).(*notedAnswer); ok && err == nil {
		noted.answer.Store(answer)
	}
	return answer, err
}
