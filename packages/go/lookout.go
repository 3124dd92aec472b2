// Package lookout is the client of Lookout: web analytics, uptime monitoring and short links behind one typed API.
//
//	client, err := lookout.NewClient("https://lookout.example.com", lookout.Options{APIKey: key})
//	made, err := client.Links.CreateLink(ctx, &lookoutv1.CreateLinkRequest{TargetUrl: "https://example.com"})
//
// # Calls
//
// Each call of the API is one method, with the name that it has in the API: it takes the message of the request and options ([WithTimeout],
// [WithHeader], [WithIdempotencyKey], [WithOnHeader], [WithOnReconnect]), and returns the message of the answer, or a loop over them for a
// stream. Its error is an [*Error]. Lists have a method for all their pages, such as [Client.AllLinks].
//
// # Events, queries and exports
//
// A few methods take more than one call, or a part of one, off a program: [Client.Track] sends events, and an [EventQueue] sends them in the
// background. Package querytype asks queries with typed rows. [Client.SaveExport] waits for an export and downloads it.
//
// # Packages
//
// The messages are in lookout/v1, the values that their texts may have in values. Package lookouttest answers calls in tests, and package webhook
// verifies what Lookout sends. The clients of lookout/v1/lookoutv1connect take Connect's own requests, with trailers; they know no key, no retries
// and no [*Error].
package lookout

import (
	"strings"
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
	// APIKey is a key with the scopes that the calls need. Without one, most calls fail with CodeAuthRequired.
	APIKey string
	// Timeout of a call with all its tries, and of a stream until its first message, DefaultTimeout by default. A context with an earlier
	// deadline wins, and WithTimeout sets another one for single calls.
	Timeout time.Duration
	// MaxRetries is how often a call is repeated that fails for a while, DefaultMaxRetries by default, and never if it is negative. Only
	// calls are repeated whose contract says that they may be, and creating calls, with an idempotency key.
	MaxRetries int
	// HTTPClient has NewTransport by default. A transport of one's own is where a proxy or a certificate authority is set.
	HTTPClient connect.HTTPClient
	// Connect has further options, such as connect.WithGRPC() for an HTTPClient that speaks HTTP/2.
	Connect []connect.ClientOption
}

// Client has the calls of all services that take an API key, such as Links.CreateLink. It may be used by several goroutines.
type Client struct {
	APIKeys              ApiKeyCalls              // API keys
	AuditLog             AuditCalls               // who changed what
	Data                 DataCalls                // exports, erasure of visitors, and its receipts
	Funnels              FunnelCalls              // funnels, goals and journeys
	Ingest               IngestCalls              // events; Client.Track and EventQueue take less to write
	Links                LinkCalls                // short links and their clicks
	LLMCalls             LlmCallCalls             // calls of language models
	MaintenanceWindows   MaintenanceWindowCalls   // times in which failing checks alert nobody
	NotificationChannels NotificationChannelCalls // where alerts go
	Queries              QueryCalls               // analytics; package querytype has typed rows
	ScriptErrors         ScriptErrorCalls         // errors of scripts in pages
	Segments             SegmentCalls             // filters with a name
	SharedDashboards     SharedDashboardCalls     // secret links to panels of a website
	StatusPage           StatusPageCalls          // status pages
	StatusReports        StatusReportCalls        // what people write on status pages
	Uptime               UptimeCalls              // monitors, their checks and incidents
	Vitals               VitalCalls               // how fast pages were
	Websites             WebsiteCalls             // websites and their settings

	refused *Error
	calls   *calls
}

// NewClient makes a client for the address of Lookout, such as "https://lookout.example.com". The error is an *Error with CodeValidation if the
// address or the key cannot be one. Whether the service knows the key is seen at the first call: CodeInvalidAPIKey.
func NewClient(baseURL string, options Options) (*Client, error) {
	client := New(baseURL, options)
	if client.refused != nil {
		return nil, client.refused
	}
	return client, nil
}

// New is NewClient for an address that is known to be right: if it is not, every call of the client fails with the error.
func New(baseURL string, options Options) *Client {
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	if options.HTTPClient == nil {
		options.HTTPClient = usualClient()
	}
	if options.MaxRetries == 0 {
		options.MaxRetries = DefaultMaxRetries
	}
	baseURL = strings.TrimRight(strings.TrimSpace(baseURL), "/")
	refused := checkOptions(baseURL, options.APIKey)
	options.APIKey = strings.TrimSpace(options.APIKey)
	calls := &calls{refused: refused, baseURL: baseURL, apiKey: options.APIKey, timeout: options.Timeout, maxRetries: options.MaxRetries}
	if refused != nil {
		// Connect has errors of its own for what is no address.
		baseURL = "http://refused.invalid"
	}
	with := append([]connect.ClientOption{connect.WithInterceptors(calls)}, options.Connect...)
	client := notingClient{options.HTTPClient}
	return &Client{
		refused:              refused,
		calls:                calls,
		APIKeys:              ApiKeyCalls{lookoutv1connect.NewApiKeyServiceClient(client, baseURL, with...)},
		AuditLog:             AuditCalls{lookoutv1connect.NewAuditServiceClient(client, baseURL, with...)},
		Data:                 DataCalls{lookoutv1connect.NewDataServiceClient(client, baseURL, with...)},
		Funnels:              FunnelCalls{lookoutv1connect.NewFunnelServiceClient(client, baseURL, with...)},
		Ingest:               IngestCalls{lookoutv1connect.NewIngestServiceClient(client, baseURL, with...)},
		Links:                LinkCalls{lookoutv1connect.NewLinkServiceClient(client, baseURL, with...)},
		LLMCalls:             LlmCallCalls{lookoutv1connect.NewLlmCallServiceClient(client, baseURL, with...)},
		MaintenanceWindows:   MaintenanceWindowCalls{lookoutv1connect.NewMaintenanceWindowServiceClient(client, baseURL, with...)},
		NotificationChannels: NotificationChannelCalls{lookoutv1connect.NewNotificationChannelServiceClient(client, baseURL, with...)},
		Queries:              QueryCalls{lookoutv1connect.NewQueryServiceClient(client, baseURL, with...)},
		ScriptErrors:         ScriptErrorCalls{lookoutv1connect.NewScriptErrorServiceClient(client, baseURL, with...)},
		Segments:             SegmentCalls{lookoutv1connect.NewSegmentServiceClient(client, baseURL, with...)},
		SharedDashboards:     SharedDashboardCalls{lookoutv1connect.NewSharedDashboardServiceClient(client, baseURL, with...)},
		StatusPage:           StatusPageCalls{lookoutv1connect.NewStatusPageServiceClient(client, baseURL, with...)},
		StatusReports:        StatusReportCalls{lookoutv1connect.NewStatusReportServiceClient(client, baseURL, with...)},
		Uptime:               UptimeCalls{lookoutv1connect.NewUptimeServiceClient(client, baseURL, with...)},
		Vitals:               VitalCalls{lookoutv1connect.NewVitalServiceClient(client, baseURL, with...)},
		Websites:             WebsiteCalls{lookoutv1connect.NewWebsiteServiceClient(client, baseURL, with...)},
	}
}
