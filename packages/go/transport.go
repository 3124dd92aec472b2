package lookout

import (
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// pingAfter is how long an HTTP/2 connection may be silent before it is asked whether it lives. The service answers pings.
	pingAfter = 20 * time.Second
	// pingTimeout is how long the answer may take. Then the connection's calls and streams fail, and are repeated where they may be.
	pingTimeout = 10 * time.Second
)

// NewTransport is the transport of clients without an Options.HTTPClient, to be changed: it takes a proxy from HTTPS_PROXY, speaks HTTP/2 over
// TLS, and notices connections that have died without a word. Set TLSClientConfig.RootCAs for a certificate authority of one's own, and
// Protocols for HTTP/2 without TLS.
func NewTransport() *http.Transport {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second}
	if usual, ok := http.DefaultTransport.(*http.Transport); ok {
		transport = usual.Clone()
	}
	transport.OnProxyConnectResponse = refusalOfProxy
	transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingTimeout}
	// HTTP/1.1 has no pings, so the system asks.
	keepAlive := net.KeepAliveConfig{Enable: true, Idle: pingAfter, Interval: pingTimeout, Count: 2}
	transport.DialContext = (&net.Dialer{Timeout: 30 * time.Second, KeepAliveConfig: keepAlive}).DialContext
	return transport
}

// usualClient is shared by all clients without one of their own, and so are its connections.
var usualClient = sync.OnceValue(func() *http.Client { return &http.Client{Transport: NewTransport()} })
