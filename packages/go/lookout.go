// Package lookout is the client of Lookout: web analytics, uptime monitoring and short links behind one typed API.
//
// The generated messages are in lookout.dev/client/lookout/v1.
package lookout

import (
	"context"
	"errors"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"lookout.dev/client/lookout/v1/lookoutv1connect"
)

// DefaultTimeout is how long a call may take: 5 s more than the service takes at most for a query.
const DefaultTimeout = 35 * time.Second

// Options of New. The zero value is a client without a key.
type Options struct {
	// APIKey is a key with the scopes that the calls need.
	APIKey string
	// Timeout of a call, and of a stream until its first message, DefaultTimeout by default. A context with an earlier deadline wins.
	Timeout time.Duration
	// HTTPClient is http.DefaultClient by default.
	HTTPClient connect.HTTPClient
	// Connect has further options, such as connect.WithGRPC() for an HTTPClient that speaks HTTP/2.
	Connect []connect.ClientOption
}

// Client has the generated clients of all services that take an API key. Their errors are of the type *Error.
type Client struct {
	APIKeys              lookoutv1connect.ApiKeyServiceClient
	AuditLog             lookoutv1connect.AuditServiceClient
	Data                 lookoutv1connect.DataServiceClient
	Funnels              lookoutv1connect.FunnelServiceClient
	Ingest               lookoutv1connect.IngestServiceClient
	Links                lookoutv1connect.LinkServiceClient
	LLMCalls             lookoutv1connect.LlmCallServiceClient
	MaintenanceWindows   lookoutv1connect.MaintenanceWindowServiceClient
	NotificationChannels lookoutv1connect.NotificationChannelServiceClient
	Queries              lookoutv1connect.QueryServiceClient
	ScriptErrors         lookoutv1connect.ScriptErrorServiceClient
	StatusPage           lookoutv1connect.StatusPageServiceClient
	StatusReports        lookoutv1connect.StatusReportServiceClient
	Uptime               lookoutv1connect.UptimeServiceClient
	Vitals               lookoutv1connect.VitalServiceClient
	Websites             lookoutv1connect.WebsiteServiceClient
}

// New makes a client for the address of Lookout, such as "https://lookout.example.com".
func New(baseURL string, options Options) *Client {
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	if options.HTTPClient == nil {
		options.HTTPClient = http.DefaultClient
	}
	calls := &calls{baseURL: baseURL, apiKey: options.APIKey, timeout: options.Timeout}
	with := append([]connect.ClientOption{connect.WithInterceptors(calls)}, options.Connect...)
	client := options.HTTPClient
	return &Client{
		APIKeys:              lookoutv1connect.NewApiKeyServiceClient(client, baseURL, with...),
		AuditLog:             lookoutv1connect.NewAuditServiceClient(client, baseURL, with...),
		Data:                 lookoutv1connect.NewDataServiceClient(client, baseURL, with...),
		Funnels:              lookoutv1connect.NewFunnelServiceClient(client, baseURL, with...),
		Ingest:               lookoutv1connect.NewIngestServiceClient(client, baseURL, with...),
		Links:                lookoutv1connect.NewLinkServiceClient(client, baseURL, with...),
		LLMCalls:             lookoutv1connect.NewLlmCallServiceClient(client, baseURL, with...),
		MaintenanceWindows:   lookoutv1connect.NewMaintenanceWindowServiceClient(client, baseURL, with...),
		NotificationChannels: lookoutv1connect.NewNotificationChannelServiceClient(client, baseURL, with...),
		Queries:              lookoutv1connect.NewQueryServiceClient(client, baseURL, with...),
		ScriptErrors:         lookoutv1connect.NewScriptErrorServiceClient(client, baseURL, with...),
		StatusPage:           lookoutv1connect.NewStatusPageServiceClient(client, baseURL, with...),
		StatusReports:        lookoutv1connect.NewStatusReportServiceClient(client, baseURL, with...),
		Uptime:               lookoutv1connect.NewUptimeServiceClient(client, baseURL, with...),
		Vitals:               lookoutv1connect.NewVitalServiceClient(client, baseURL, with...),
		Websites:             lookoutv1connect.NewWebsiteServiceClient(client, baseURL, with...),
	}
}

// calls adds the key and the timeout to each call, and turns its error into an *Error.
type calls struct {
	baseURL string
	apiKey  string
	timeout time.Duration
}

func (c *calls) authorize(header http.Header) {
	if c.apiKey != "" {
		header.Set("Authorization", "Bearer "+c.apiKey)
	}
}

func (c *calls) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
		ctx, cancel := context.WithTimeout(ctx, c.timeout)
		defer cancel()
		c.authorize(request.Header())
		response, err := next(ctx, request)
		if err != nil {
			return nil, newError(c.baseURL, err)
		}
		return response, nil
	}
}

func (c *calls) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		ctx, cancel := context.WithCancelCause(ctx)
		conn := next(ctx, spec)
		c.authorize(conn.RequestHeader())
		late := time.AfterFunc(c.timeout, func() { cancel(errLate) })
		return &stream{StreamingClientConn: conn, calls: c, ctx: ctx, cancel: cancel, late: late}
	}
}

func (c *calls) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

// errLate is why a stream is cancelled whose first message does not come in time.
var errLate = connect.NewError(connect.CodeDeadlineExceeded, errors.New("no message came in time"))

// stream ends with the timeout if the request or the first message takes longer, and has errors of the type *Error.
type stream struct {
	connect.StreamingClientConn
	calls    *calls
	ctx      context.Context
	cancel   context.CancelCauseFunc
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
		s.late.Reset(s.calls.timeout)
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

func (s *stream) errorOf(err error) error {
	if err != nil && context.Cause(s.ctx) == errLate {
		err = errLate
	}
	return newError(s.calls.baseURL, err)
}
