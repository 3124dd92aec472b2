// What a service does with lookout.dev/client. The test builds and runs it outside the repository.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
	"lookout.dev/client/querytype"
)

var ctx, base, website = context.Background(), os.Getenv("BASE"), os.Getenv("WEBSITE")

func main() {
	client := lookout.New(base, lookout.Options{APIKey: os.Getenv("KEY")})
	sendAndQuery("connect", client)
	sendAndQuery("grpc", lookout.New(base, overGRPC(os.Getenv("KEY"))))
	refused(client)
	failures()
	lateWatch()
	fmt.Println("done")
}

func overGRPC(key string) lookout.Options {
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	return lookout.Options{
		APIKey:     key,
		HTTPClient: &http.Client{Transport: transport},
		Connect:    []connect.ClientOption{connect.WithGRPC()},
		Timeout:    5 * time.Second,
	}
}

func query(path string, parameters ...*lookoutv1.QueryParameter) *lookoutv1.Query {
	return &lookoutv1.Query{
		Preset:     "today",
		Parameters: parameters,
		Filters:    []*lookoutv1.QueryFilter{{Field: "path", Op: "eq", Value: structpb.NewStringValue(path)}},
	}
}

func ask(client *lookout.Client, query *lookoutv1.Query) (*lookoutv1.QueryAnswer, error) {
	answer, err := client.Queries.Query(ctx, connect.NewRequest(&lookoutv1.QueryRequest{WebsiteId: website, Query: query}))
	if err != nil {
		return nil, err
	}
	return answer.Msg.Single, nil
}

func sendAndQuery(protocol string, client *lookout.Client) {
	path := "/" + protocol
	id, visitor, name := "view "+protocol, "visitor "+protocol, "page_view"
	view := &lookoutv1.FlatEvent{EventId: &id, Name: &name, AnonymousId: &visitor, Path: &path}
	event := &lookoutv1.Event{Payload: &lookoutv1.Event_Flat{Flat: view}}
	// The same event twice counts once.
	sent, err := client.Ingest.Batch(ctx, connect.NewRequest(&lookoutv1.BatchRequest{
		WebsiteId: website, Events: []*lookoutv1.Event{event, event},
	}))
	must(err)
	check(sent.Msg.Status == "success", "the batch is a success")

	watched, stop := context.WithCancel(ctx)
	defer stop()
	stream, err := client.Queries.Watch(watched, connect.NewRequest(&lookoutv1.WatchRequest{
		WebsiteId: website, Query: query(path, querytype.SummaryMetrics.Parameter()),
	}))
	must(err)
	for stream.Receive() {
		summary, err := querytype.SummaryMetrics.Rows(stream.Msg().Answer)
		must(err)
		if views := summary[0].Pageviews; views != nil && *views == 1 {
			break
		}
	}
	must(stream.Err())

	hours := querytype.PageViews.Named("by hour")
	byHour, granularity := hours.Parameter(), "hourly"
	byHour.Granularity = &granularity
	answer, err := ask(client, query(path, byHour, querytype.TopPages.Parameter(), querytype.SessionList.Parameter(),
		querytype.PerformanceOverview.Parameter()))
	must(err)
	pages, err := querytype.TopPages.Rows(answer)
	must(err)
	check(len(pages) == 1 && pages[0].Path == path && pages[0].Views == 1, "one view of the page")
	sessions, err := querytype.SessionList.Rows(answer)
	must(err)
	check(sessions[0].FirstVisit != nil && len(sessions[0].Events) == 1, "a time and an array")
	performance, err := querytype.PerformanceOverview.Rows(answer)
	must(err)
	check(performance[0].AvgLoadTime == nil, "a figure that was not measured")
	views, err := hours.Rows(answer)
	must(err)
	check(len(views) > 0 && strings.Contains(views[0].Date, ":"), "a row for each hour")
	_, err = querytype.PageViews.Rows(answer)
	check(errorOf(err).Code == lookout.CodeNotAsked, "a type that the query did not ask under its own name")
}

// Errors that the service answers.
func refused(client *lookout.Client) {
	_, err := ask(client, query("/", &lookoutv1.QueryParameter{Name: "top_pagse"}))
	unknown := errorOf(err)
	check(unknown.Code == "VALIDATION_ERROR" && strings.HasPrefix(unknown.RequestID, "req_"), "code and request id")
	check(unknown.Details[0].Field == "parameters[0]", "the field")
	check(strings.Contains(unknown.Details[0].Message, "did you mean \"top_pages\"?"), "the suggestion")

	links, err := ask(client, query("/", querytype.LinkTotalClicks.Parameter()))
	must(err)
	_, err = querytype.LinkTotalClicks.Rows(links)
	check(errorOf(err).Code == lookout.CodeQuery, "a parameter that could not be answered")
}

// Each failure has a code, and a message that says what to do.
func failures() {
	broken, brokenGRPC := os.Getenv("BROKEN"), os.Getenv("BROKEN_GRPC")
	short, shortGRPC := lookout.Options{Timeout: 300 * time.Millisecond}, overGRPC("hang")
	shortGRPC.Timeout = short.Timeout
	for _, each := range []struct {
		what    string
		base    string
		options lookout.Options
		code    string
		advice  string
	}{
		{"wrong key", base, lookout.Options{APIKey: "wrong"}, "INVALID_API_KEY", "Check the APIKey"},
		{"nothing listens", "http://127.0.0.1:9", lookout.Options{}, lookout.CodeUnreachable, "Check the address"},
		{"no such host", "http://lookout.invalid", lookout.Options{}, lookout.CodeUnreachable, "Check the address"},
		{"cut answer", broken + "/cut", lookout.Options{}, lookout.CodeBadAnswer, "Check the address"},
		{"another server", broken + "/other", lookout.Options{}, lookout.CodeBadAnswer, "Check the address"},
		{"no answer", broken + "/hang", short, lookout.CodeTimeout, "allow more"},
		{"nothing listens, gRPC", "http://127.0.0.1:9", overGRPC(""), lookout.CodeUnreachable, "Check the address"},
		{"cut answer, gRPC", brokenGRPC, overGRPC("cut"), lookout.CodeBadAnswer, "Check the address"},
		{"reset answer, gRPC", brokenGRPC, overGRPC("reset"), lookout.CodeBadAnswer, "Check the address"},
		{"another server, gRPC", brokenGRPC, overGRPC("other"), lookout.CodeBadAnswer, "Check the address"},
		{"no answer, gRPC", brokenGRPC, shortGRPC, lookout.CodeTimeout, "allow more"},
	} {
		_, err := ask(lookout.New(each.base, each.options), query("/", querytype.TopPages.Parameter()))
		failure := errorOf(err)
		check(failure.Code == each.code && strings.Contains(failure.Message, each.advice), each.what+": "+failure.Error())
	}
}

// A watch whose first message does not come ends with the timeout.
func lateWatch() {
	client := lookout.New(os.Getenv("BROKEN")+"/hang", lookout.Options{Timeout: 300 * time.Millisecond})
	stream, err := client.Queries.Watch(ctx, connect.NewRequest(&lookoutv1.WatchRequest{WebsiteId: website}))
	if err == nil {
		check(!stream.Receive(), "no message")
		err = stream.Err()
	}
	check(errorOf(err).Code == lookout.CodeTimeout, "a watch without a message: "+err.Error())
}

func errorOf(err error) *lookout.Error {
	var failure *lookout.Error
	check(errors.As(err, &failure), fmt.Sprintf("the error is a *lookout.Error: %v", err))
	return failure
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func check(holds bool, what string) {
	if !holds {
		log.Fatal("not true: ", what)
	}
}
