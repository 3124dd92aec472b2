// Package webhook receives what a notification channel of the kind webhook sends, signed as Standard Webhooks specifies:
//
//	event, err := webhook.FromRequest(request, secret)
//	switch event := event.(type) {
//	case *webhook.IncidentOpened:
//		page(event.Monitor.Name, event.Incident.FirstError)
//	}
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// DefaultTolerance is how far a message's time may be from the receiver's.
const DefaultTolerance = 5 * time.Minute

// maxBody is far more than a message has, bytes.
const maxBody = 1 << 20

var (
	// ErrSignature means that the message is not from the channel with this secret, or was changed.
	ErrSignature = errors.New("the webhook's signature does not match: check the channel's secret, and that the body is passed as it was received")
	// ErrTime means that the message was sent too long ago, so that it may be a replay, or that the clocks differ.
	ErrTime = errors.New("the webhook was sent at a time too far from now: it may be a replay, or check this machine's clock")
	// ErrSecret means that the receiver's own secret is none, so that it can verify no message.
	ErrSecret = errors.New("the webhook's secret must be whsec_ and base64, as the answer to the channel's creation has it")
)

// Receiver verifies messages.
type Receiver struct {
	// Secret is the channel's, with whsec_ before it.
	Secret string
	// Tolerance is DefaultTolerance by default.
	Tolerance time.Duration
	// Now is time.Now by default.
	Now func() time.Time
}

// FromRequest reads, verifies and parses a request. Answer ErrSecret with the status 500, as it is no fault of the sender, other
// errors with 400, and everything else with 204.
func FromRequest(request *http.Request, secret string) (Event, error) {
	body, err := io.ReadAll(io.LimitReader(request.Body, maxBody))
	if err != nil {
		return nil, err
	}
	return Receiver{Secret: secret}.Event(request.Header, body)
}

// Event verifies and parses a message. The body must be the bytes that were received. The error is ErrSignature, ErrTime,
// ErrSecret, or says what the body is.
func (r Receiver) Event(header http.Header, body []byte) (Event, error) {
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	signature, err := sign(r.Secret, id, sent, body)
	if err != nil {
		return nil, err
	}
	if !hasSignature(header.Get("webhook-signature"), signature) {
		return nil, ErrSignature
	}
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || r.now().Sub(time.Unix(seconds, 0)).Abs() > r.tolerance() {
		return nil, ErrTime
	}
	return read(id, body)
}

func (r Receiver) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}

func (r Receiver) tolerance() time.Duration {
	if r.Tolerance == 0 {
		return DefaultTolerance
	}
	return r.Tolerance
}

// Sign makes the headers of a message, for tests of a receiver.
func Sign(secret, id string, sentAt time.Time, body []byte) (http.Header, error) {
	sent := strconv.FormatInt(sentAt.Unix(), 10)
	signature, err := sign(secret, id, sent, body)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", sent)
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(signature))
	return header, nil
}

//go:embed samples.json
var samples []byte

// Sample is the body of a message of a type such as "incident.opened", for tests of a receiver. It is nil for types that do not exist.
func Sample(eventType string) []byte {
	var bodies map[string]json.RawMessage
	if json.Unmarshal(samples, &bodies) != nil {
		return nil
	}
	return bodies[eventType]
}

func sign(secret, id, sent string, body []byte) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return nil, ErrSecret
	}
	hash := hmac.New(sha256.New, key)
	fmt.Fprintf(hash, "%s.%s.", id, sent)
	hash.Write(body)
	return hash.Sum(nil), nil
}

// hasSignature says whether one of the signatures of a header is the right one. A header may have several, after spaces.
func hasSignature(header string, right []byte) bool {
	for _, each := range strings.Fields(header) {
		signature, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(each, "v1,"))
		if err == nil && strings.HasPrefix(each, "v1,") && hmac.Equal(signature, right) {
			return true
		}
	}
	return false
}
