// Package lookout is the client of Lookout: web analytics, uptime monitoring and short links behind one typed API.
//
// The generated messages are in lookout.dev/client/lookout/v1.
package lookout

import (
	"net/http"
	"time"

	"connectrpc.com/connect"
	"lookout.dev/client/lookout/v1/lookoutv1connect"
)

// DefaultTimeout is how long a call may take: 5 s more than the service takes at most for a query.
const DefaultTimeout = 35 * time.Second

// DefaultMaxRetries is how often a call is repeated that may be.
const DefaultMaxRetries = 2

// Options of New. The zero value is a client without a key.
type Options struct {
	// APIKey is a key with the scopes that the calls need.
	APIKey string
	// Timeout of a call with all its tries, and of a stream until its first message, DefaultTimeout by default. A context with an earlier
	// deadline wins, and WithCallTimeout sets another one for single calls.
	Timeout time.Duration
	// MaxRetries is how often a call is repeated that fails for a while, DefaultMaxRetries by default, and never if it is negative. Only
	// calls are repeated whose contract says that they may be, and creating calls, with an idempotency key.
	MaxRetries int
	// HTTPClient is http.DefaultClient by default. A transport of one's own is where a proxy or a certificate authority is set.
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
	Segments             lookoutv1connect.SegmentServiceClient
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
	if options.MaxRetries == 0 {
		options.MaxRetries = DefaultMaxRetries
	}
	calls := &calls{baseURL: baseURL, apiKey: options.APIKey, timeout: options.Timeout, maxRetries: options.MaxRetries}
	with := append([]connect.ClientOption{connect.WithInterceptors(calls)}, options.Connect...)
	client := notingClient{options.HTTPClient}
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
		Segments:             lookoutv1connect.NewSegmentServiceClient(client, baseURL, with...),
		StatusPage:           lookoutv1connect.NewStatusPageServiceClient(client, baseURL, with...),
		StatusReports:        lookoutv1connect.NewStatusReportServiceClient(client, baseURL, with...),
		Uptime:               lookoutv1connect.NewUptimeServiceClient(client, baseURL, with...),
		Vitals:               lookoutv1connect.NewVitalServiceClient(client, baseURL, with...),
		Websites:             lookoutv1connect.NewWebsiteServiceClient(client, baseURL, with...),
	}
}
