// What the tests of a program do with lookout.dev/client/lookouttest. The test runs it outside the repository.
package double

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
	"lookout.dev/client/lookout/v1/lookoutv1connect"
	"lookout.dev/client/lookouttest"
	"lookout.dev/client/querytype"
	"lookout.dev/client/values"
)

var ctx = context.Background()

func TestAnswers(t *testing.T) {
	service := lookouttest.New(t,
		lookouttest.Answer(lookout.UptimeCalls.GetStatus, &lookoutv1.GetStatusResponse{Status: "up"}),
		lookouttest.AnswerFunc(lookout.LinkCalls.CreateLink, func(request *lookoutv1.CreateLinkRequest) (*lookoutv1.CreateLinkResponse, error) {
			return &lookoutv1.CreateLinkResponse{Link: &lookoutv1.Link{TargetUrl: request.TargetUrl, Slug: "summer"}}, nil
		}),
		lookouttest.AnswerFunc(lookout.LinkCalls.ListLinks, func(request *lookoutv1.ListLinksRequest) (*lookoutv1.ListLinksResponse, error) {
			if request.GetCursor() == "2" {
				return &lookoutv1.ListLinksResponse{Links: []*lookoutv1.Link{{Id: "b"}}}, nil
			}
			return &lookoutv1.ListLinksResponse{Links: []*lookoutv1.Link{{Id: "a"}}, NextCursor: lookout.Ptr("2")}, nil
		}),
	)
	client := service.Client()
	status, err := client.Uptime.GetStatus(ctx, &lookoutv1.GetStatusRequest{MonitorId: "m"})
	equal(t, err, nil)
	equal(t, status.Status, "up")
	made, err := client.Links.CreateLink(ctx, &lookoutv1.CreateLinkRequest{TargetUrl: "https://x.example"}, lookout.WithIdempotencyKey("mine"))
	equal(t, err, nil)
	equal(t, made.Link.TargetUrl, "https://x.example")
	var ids string
	for link, err := range client.AllLinks(ctx, nil) {
		equal(t, err, nil)
		ids += link.Id
	}
	equal(t, ids, "ab")

	calls := service.Calls()
	equal(t, len(calls), 4)
	equal(t, calls[1].Procedure, lookoutv1connect.LinkServiceCreateLinkProcedure)
	equal(t, calls[1].Header.Get("Idempotency-Key"), "mine")
	created := lookouttest.Requests[*lookoutv1.CreateLinkRequest](service)
	equal(t, len(created), 1)
	equal(t, created[0].TargetUrl, "https://x.example")
}

func TestRowsByPagesAndWatches(t *testing.T) {
	seen := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	service := lookouttest.New(t,
		lookouttest.Rows(querytype.TopPages, querytype.TopPagesRow{Path: "/a"}, querytype.TopPagesRow{Path: "/b"}, querytype.TopPagesRow{Path: "/c"}),
		lookouttest.Rows(querytype.SummaryMetrics, querytype.SummaryMetricsRow{Pageviews: lookout.Ptr[int64](3)}),
		lookouttest.Rows(querytype.SessionList, querytype.SessionListRow{FirstVisit: &seen}),
		lookouttest.Rows(querytype.TopPages.Named("before")),
	)
	client := service.Client()
	var paths string
	request := &lookoutv1.QueryRequest{WebsiteId: "w", Query: &lookoutv1.Query{Preset: values.DatePresetToday, Limit: lookout.Ptr[uint32](2)}}
	for page, err := range querytype.TopPages.All(ctx, client, request) {
		equal(t, err, nil)
		paths += page.Path
	}
	equal(t, paths, "/a/b/c")
	parameters := querytype.Parameters(querytype.SummaryMetrics, querytype.SessionList, querytype.TopPages.Named("before"))
	answer, err := client.Queries.Query(ctx, &lookoutv1.QueryRequest{WebsiteId: "w", Queries: []*lookoutv1.Query{{Parameters: parameters}}})
	equal(t, err, nil)
	summary, err := querytype.SummaryMetrics.Rows(answer.Batch.Results[0])
	equal(t, err, nil)
	equal(t, *summary[0].Pageviews, int64(3))
	equal(t, summary[0].BounceRate == nil, true)
	sessions, err := querytype.SessionList.Rows(answer.Batch.Results[0])
	equal(t, err, nil)
	equal(t, *sessions[0].FirstVisit, seen)
	before, err := querytype.TopPages.Named("before").Rows(answer.Batch.Results[0])
	equal(t, err, nil)
	equal(t, len(before), 0)
	watched := 0
	for rows, err := range querytype.TopPages.WithLimit(1).Watch(ctx, client, "w", &lookoutv1.Query{}) {
		equal(t, err, nil)
		watched += len(rows)
	}
	equal(t, watched, 1)
}

func TestEvents(t *testing.T) {
	service := lookouttest.New(t)
	client := service.Client()
	queue := client.NewEventQueue("w", lookout.EventQueueOptions{})
	equal(t, queue.Track(lookout.Event{Name: "order", Properties: map[string]any{"total": 19.9}}), nil)
	equal(t, queue.Close(ctx), nil)
	equal(t, client.Track(ctx, "w", lookout.Event{Name: "signed_up"}), nil)
	events := service.Events()
	equal(t, len(events), 2)
	equal(t, events[0].GetName(), "order")
	equal(t, events[0].Properties.AsMap()["total"], 19.9)
	equal(t, events[1].GetName(), "signed_up")
	failed(t, client.Track(ctx, "w", lookout.Event{}), lookout.CodeValidation, "events[0]")
}

func TestExports(t *testing.T) {
	sum := sha256.Sum256([]byte("PK"))
	export := &lookoutv1.GetExportResponse{Status: values.ExportStatusCompleted, Sha256: lookout.Ptr(hex.EncodeToString(sum[:]))}
	service := lookouttest.New(t,
		lookouttest.Answer(lookout.DataCalls.GetExport, export),
		lookouttest.Stream(lookout.DataCalls.DownloadExport, &lookoutv1.DownloadExportResponse{Data: []byte("P")}, &lookoutv1.DownloadExportResponse{Data: []byte("K")}),
	)
	var file bytes.Buffer
	equal(t, service.Client().DownloadExport(ctx, "e", &file), nil)
	equal(t, file.String(), "PK")
}

func TestErrors(t *testing.T) {
	refused := &lookout.Error{Code: lookout.CodeConflict, Message: "The slug is taken", RequestID: "req_1", RetryAfter: 2 * time.Second,
		Details: []lookout.Detail{{Field: "slug", Message: "is taken", Suggestion: "summer-2"}}}
	service := lookouttest.New(t,
		lookouttest.AnswerFunc(lookout.LinkCalls.CreateLink, func(*lookoutv1.CreateLinkRequest) (*lookoutv1.CreateLinkResponse, error) {
			return nil, refused
		}),
		lookouttest.AnswerFunc(lookout.UptimeCalls.GetStatus, func(*lookoutv1.GetStatusRequest) (*lookoutv1.GetStatusResponse, error) {
			return &lookoutv1.GetStatusResponse{Status: "upp"}, nil
		}),
	)
	client := service.Client()
	_, err := client.Links.CreateLink(ctx, &lookoutv1.CreateLinkRequest{TargetUrl: "https://x.example"})
	got, _ := err.(*lookout.Error)
	equal(t, got.Error(), refused.Error())
	equal(t, got.Details, refused.Details)
	equal(t, got.RetryAfter, refused.RetryAfter)
	equal(t, got.RequestID, "req_1")
	_, err = client.Uptime.GetStatus(ctx, &lookoutv1.GetStatusRequest{MonitorId: "m"})
	failed(t, err, lookout.CodeBadAnswer, `the test's answer of GetStatus is not one of Lookout: status must be one of up,`)

	_, err = client.Links.ListLinks(ctx, nil)
	failed(t, err, lookout.CodeNotImplemented, "the test has no answer for ListLinks: pass lookouttest.Answer of it to lookouttest.New")
	for _, err := range client.Data.DownloadExport(ctx, nil) {
		failed(t, err, lookout.CodeNotImplemented, "lookouttest.Stream")
	}
	_, err = querytype.TopPages.Ask(ctx, client, "w", nil)
	failed(t, err, lookout.CodeNotImplemented, "query.parameters[0]: pass lookouttest.Rows of the query type top_pages")
	equal(t, service.Calls()[2].Procedure, lookoutv1connect.LinkServiceListLinksProcedure)
}

func TestRequestsAreChecked(t *testing.T) {
	service := lookouttest.New(t, lookouttest.Answer(lookout.UptimeCalls.CreateMonitor, &lookoutv1.CreateMonitorResponse{Monitor: &lookoutv1.Monitor{}}))
	client := service.Client()
	_, err := client.Uptime.CreateMonitor(ctx, &lookoutv1.CreateMonitorRequest{WebsiteId: "w", Url: "https://x.example", Interval: "55m"})
	failed(t, err, lookout.CodeValidation, "interval must be one of 1m, ")
	equal(t, err.(*lookout.Error).Details[0].Suggestion, "5m")
	_, err = client.Uptime.CreateMonitor(ctx, &lookoutv1.CreateMonitorRequest{WebsiteId: "w", Interval: values.Interval1m})
	failed(t, err, lookout.CodeValidation, "url is missing")
	wrong := &lookoutv1.Query{Parameters: []*lookoutv1.QueryParameter{{Name: "top_pagse"}}}
	_, err = client.Queries.Query(ctx, &lookoutv1.QueryRequest{WebsiteId: "w", Query: wrong})
	failed(t, err, lookout.CodeValidation, `query.parameters[0].name names no query type: "top_pagse"`)
	equal(t, err.(*lookout.Error).Details[0].Suggestion, "top_pages")
}

func TestWrongAnswersEndTheTest(t *testing.T) {
	answer := lookouttest.Answer(lookout.UptimeCalls.GetStatus, &lookoutv1.GetStatusResponse{Status: "up"})
	for text, settings := range map[string][]lookouttest.Setting{
		"status must be one of up,":   {lookouttest.Answer(lookout.UptimeCalls.GetStatus, &lookoutv1.GetStatusResponse{Status: "upp"})},
		"it is nil":                   {lookouttest.Answer(lookout.UptimeCalls.GetStatus, nil)},
		"link is missing":             {lookouttest.Answer(lookout.LinkCalls.GetLink, &lookoutv1.GetLinkResponse{})},
		"GetStatus has two answers":   {answer, answer},
		"active_stats has rows twice": {lookouttest.Rows(querytype.ActiveStats), lookouttest.Rows(querytype.ActiveStats)},
	} {
		ended := &endedTest{TB: t}
		func() {
			defer func() { _ = recover() }()
			lookouttest.New(ended, settings...)
		}()
		if !strings.Contains(ended.reason, text) {
			t.Errorf("%q instead of %q", ended.reason, text)
		}
	}
}

// A program that takes nothing but an address can be tested too, and so can calls of one's own timeouts and retries.
func TestOverHTTP(t *testing.T) {
	service := lookouttest.New(t, lookouttest.Rows(querytype.ActiveStats, querytype.ActiveStatsRow{ActiveUsers: 2}))
	server := httptest.NewServer(service)
	defer server.Close()
	client, err := lookout.NewClient(server.URL, lookout.Options{APIKey: "key"})
	equal(t, err, nil)
	rows, err := querytype.ActiveStats.Ask(ctx, client, "w", nil)
	equal(t, err, nil)
	equal(t, rows[0].ActiveUsers, int64(2))
	equal(t, service.Calls()[0].Header.Get("Authorization"), "Bearer key")
	_, err = client.Links.ListLinks(ctx, nil)
	failed(t, err, lookout.CodeNotImplemented, "ListLinks")
	ended, end := context.WithCancel(ctx)
	end()
	_, err = service.Client().Links.ListLinks(ended, nil)
	failed(t, err, lookout.CodeCancelled, "")
}

// endedTest is a test that ends.
type endedTest struct {
	testing.TB
	reason string
}

func (e *endedTest) Helper() {}

func (e *endedTest) Fatalf(format string, values ...any) {
	e.reason = fmt.Sprintf(format, values...)
	panic("ended")
}

func failed(t *testing.T, err error, code, text string) {
	t.Helper()
	if lookout.CodeOf(err) != code || !strings.Contains(err.Error(), text) {
		t.Errorf("%v instead of %s with %q", err, code, text)
	}
}

func equal[Value any](t *testing.T, got, want Value) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%v instead of %v", got, want)
	}
}
