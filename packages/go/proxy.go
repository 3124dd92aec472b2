package lookout

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// proxyRefusal is the error of a connection that a proxy does not make. net/http would tell no more of it than "Forbidden".
type proxyRefusal struct {
	status     int
	retryAfter time.Duration
}

func (r *proxyRefusal) Error() string { return fmt.Sprintf("the proxy answered %d", r.status) }

// refusalOfProxy is the OnProxyConnectResponse of a transport.
func refusalOfProxy(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyRefusal{answer.StatusCode, retryAfterOf(answer.Header)}
}

// failure is that of a call to baseURL.
func (r *proxyRefusal) failure(baseURL string, cause error) *Error {
	failure := &Error{Code: CodeBadAnswer, RetryAfter: r.retryAfter, cause: cause, status: r.status}
	text := fmt.Sprintf("the proxy on the way to %s refuses the connection (status %d). ", baseURL, r.status)
	switch {
	case r.status == http.StatusTooManyRequests:
		failure.Code, failure.Message = CodeRateLimit, text+"Call less often"
	case r.status == http.StatusRequestTimeout || r.status >= http.StatusInternalServerError:
		failure.Code, failure.Message = CodeUnavailable, text+"It, or what is behind it, is down or starts; try again later"
	case r.status == http.StatusProxyAuthRequired:
		failure.Message = text + "It asks for a name and a password: put them into its address, http://name:password@proxy.example:3128"
	default:
		failure.Message = text + "Check HTTPS_PROXY and NO_PROXY, or the transport in Options.HTTPClient, and what the proxy allows"
	}
	failure.isLasting = failure.Code == CodeBadAnswer
	return failure
}
