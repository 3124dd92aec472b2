// Package lookouttest answers the calls of a client in tests, without a service. A test gives the answers, and [New] checks them:
//
//	service := lookouttest.New(t,
//		lookouttest.Answer(lookout.LinkCalls.CreateLink, &lookoutv1.CreateLinkResponse{Link: &lookoutv1.Link{Slug: "summer"}}),
//		lookouttest.Rows(querytype.ActiveStats, querytype.ActiveStatsRow{ActiveUsers: 2}),
//	)
//	orders := shop.New(service.Client())
//
// Requests are encoded, sent and decoded as usual, in memory, and checked against the contract: a required field that is missing, a value that is
// not in its list and a query type that does not exist are refused with CodeValidation. A call without an answer fails with CodeNotImplemented
// and says what to add. Events are taken. Nothing else behaves as the service does: no rule, such as which slugs are free, is checked.
package lookouttest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// Service is what answers instead of Lookout. It is a transport of clients (Client, Do), and a handler for programs that only take an address:
// httptest.NewServer(service). It may be used by several goroutines.
type Service struct {
	// handlers are those of the answers, by procedure.
	handlers map[string]http.Handler
	// usual are those of the calls that the test need not answer.
	usual map[string]http.Handler
	rows  map[string]rows

	mutex sync.Mutex
	calls []Call
}

// Call is one that was made.
type Call struct {
	// Procedure is a constant of lookoutv1connect, such as LinkServiceCreateLinkProcedure: "/lookout.v1.LinkService/CreateLink".
	Procedure string
	// Header has what the client sent, such as Idempotency-Key.
	Header http.Header
	// Request is the message, such as a *lookoutv1.CreateLinkRequest. It is nil if the test has no answer for the call.
	Request proto.Message
}

// Setting is an answer that a Service gives: Answer, AnswerFunc, Stream or Rows.
type Setting func(*Service) error

// New makes a service with these answers. The test ends at once if one of them is not of Lookout, or is there twice.
func New(t testing.TB, settings ...Setting) *Service {
	t.Helper()
	s := &Service{handlers: map[string]http.Handler{}, usual: map[string]http.Handler{}, rows: map[string]rows{}}
	s.addUsual()
	for _, set := range settings {
		if err := set(s); err != nil {
			t.Fatalf("lookouttest: %v", err)
		}
	}
	return s
}

// Client makes a client of the service, which does not repeat calls. For other options pass the service as their HTTPClient to lookout.New.
func (s *Service) Client() *lookout.Client {
	return lookout.New("http://lookouttest.invalid", lookout.Options{HTTPClient: s, MaxRetries: -1})
}

// Do answers a request in memory. It lets a Service be the HTTPClient of lookout.Options.
func (s *Service) Do(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		defer func() { _ = request.Body.Close() }()
	}
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, request)
	answer := recorder.Result()
	answer.Request = request
	return answer, nil
}

// ServeHTTP answers a request of any client over Connect, and over HTTP/2 of gRPC.
func (s *Service) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	for _, handlers := range []map[string]http.Handler{s.handlers, s.usual} {
		if handler, ok := handlers[request.URL.Path]; ok {
			handler.ServeHTTP(response, request)
			return
		}
	}
	s.note(Call{Procedure: request.URL.Path, Header: request.Header.Clone()})
	writeMissing(response, request)
}

// Calls are those that were made, in their order.
func (s *Service) Calls() []Call {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.calls)
}

func (s *Service) note(call Call) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.calls = append(s.calls, call)
}

// Requests are those of one kind that were made, in their order: Requests[*lookoutv1.CreateLinkRequest](service).
func Requests[Request proto.Message](service *Service) []Request {
	var requests []Request
	for _, call := range service.Calls() {
		if request, ok := call.Request.(Request); ok {
			requests = append(requests, request)
		}
	}
	return requests
}

// Events are those that Client.Track and queues of events have sent, in their order. Close or flush a queue before.
func (s *Service) Events() []*lookoutv1.FlatEvent {
	var events []*lookoutv1.FlatEvent
	for _, request := range Requests[*lookoutv1.BatchRequest](s) {
		for _, event := range request.GetEvents() {
			if flat := event.GetFlat(); flat != nil {
				events = append(events, flat)
			}
		}
	}
	return events
}

// addUsual answers queries with the rows of the test, and takes events.
func (s *Service) addUsual() {
	s.usual[procedureOf[lookoutv1.QueryRequest]()] = unary(s, func(request *lookoutv1.QueryRequest) (*lookoutv1.QueryResponse, error) {
		return s.query(request)
	})
	s.usual[procedureOf[lookoutv1.WatchRequest]()] = stream(s, func(request *lookoutv1.WatchRequest) ([]*lookoutv1.WatchResponse, error) {
		data, meta, err := s.results(request.GetQuery(), "query")
		return []*lookoutv1.WatchResponse{{Answer: answerOf(request.GetQuery(), data, meta)}}, err
	})
	s.usual[procedureOf[lookoutv1.BatchRequest]()] = unary(s, func(request *lookoutv1.BatchRequest) (*lookoutv1.BatchResponse, error) {
		return taken(request), nil
	})
}

// taken is the answer to events, of which those without a name are refused.
func taken(request *lookoutv1.BatchRequest) *lookoutv1.BatchResponse {
	answer := &lookoutv1.BatchResponse{Status: "success", Batch: true, Processed: uint32(len(request.GetEvents()))}
	for _, event := range request.GetEvents() {
		result := &lookoutv1.EventResult{Status: "success"}
		if flat := event.GetFlat(); flat != nil && strings.TrimSpace(flat.GetName()) == "" {
			result = &lookoutv1.EventResult{Status: "error", Message: proto.String("name is missing")}
		}
		answer.Results = append(answer.Results, result)
	}
	return answer
}
