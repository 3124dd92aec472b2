// What a service does with lookout.dev/client. The test builds and runs it outside the repository.
package main

import (
	"archive/zip"
	"bytes"
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
	"lookout.dev/client/values"
	"lookout.dev/client/webhook"
)

var ctx, base, website = context.Background(), os.Getenv("BASE"), os.Getenv("WEBSITE")

func main() {
	client := lookout.New(base, lookout.Options{APIKey: os.Getenv("KEY")})
	sendAndQuery("connect", client)
	sendAndQuery("grpc", lookout.New(base, overGRPC(os.Getenv("KEY"))))
	refused(client)
	answered(client)
	failures()
	lateWatch()
	retries()
	pages(client)
	exports(client)
	webhooks()
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
		Preset:     values.DatePresetToday,
		Parameters: parameters,
		Filters:    []*lookoutv1.QueryFilter{{Field: "path", Op: "eq", Value: structpb.NewStringValue(path)}},
	}
}

func ask(client *lookout.Client, query *lookoutv1.Query) (*lookoutv1.QueryAnswer, error) {
	answer, err := client.Queries.Query(ctx, &lookoutv1.QueryRequest{WebsiteId: website, Query: query})
	if err != nil {
		return nil, err
	}
	return answer.Single, nil
}

func sendAndQuery(protocol string, client *lookout.Client) {
	path := "/" + protocol
	id, visitor, name := "view "+protocol, "visitor "+protocol, "page_view"
	view := &lookoutv1.FlatEvent{EventId: &id, Name: &name, AnonymousId: &visitor, Path: &path}
	event := &lookoutv1.Event{Payload: &lookoutv1.Event_Flat{Flat: view}}
	// The same event twice counts once.
	sent, err := client.Ingest.Batch(ctx, &lookoutv1.BatchRequest{
		WebsiteId: website, Events: []*lookoutv1.Event{event, event},
	})
	must(err)
	check(sent.Status == "success", "the batch is a success")

	requestID := ""
	noting := lookout.WithOnHeader(func(header http.Header) { requestID += header.Get("X-Request-Id") })
	for message, err := range client.Queries.Watch(ctx, &lookoutv1.WatchRequest{
		WebsiteId: website, Query: query(path, querytype.SummaryMetrics.Parameter()),
	}, noting) {
		must(err)
		summary, err := querytype.SummaryMetrics.Rows(message.Answer)
		must(err)
		if views := summary[0].Pageviews; views != nil && *views == 1 {
			break
		}
	}
	check(strings.HasPrefix(requestID, "req_") && len(requestID) < 50, "the headers of a stream, once: "+requestID)

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
	check(sessions[0].FirstVisit != nil && time.Since(*sessions[0].FirstVisit) < time.Hour && len(sessions[0].Events) == 1, "a time and an array")
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
	check(unknown.Details[0].Field == "parameters[0]" && unknown.Details[0].Suggestion == "top_pages", "field and suggestion")
	check(!unknown.IsTemporary(), "the same call fails again")
	check(strings.Contains(unknown.Details[0].Message, "did you mean \"top_pages\"?"), "the suggestion")

	misspelt := query("/", querytype.TopPages.Parameter())
	misspelt.Filters[0].Field = "contry"
	filtered, err := ask(client, misspelt)
	must(err)
	_, err = querytype.TopPages.Rows(filtered)
	check(strings.HasPrefix(errorOf(err).RequestID, "req_"), "the request of a failed parameter")
	details := errorOf(err).Details
	check(len(details) == 1 && details[0].Field == "filters[0].field" && details[0].Suggestion == "country", fmt.Sprint("a misspelt filter: ", details))

	partly := errorOf(client.Track(ctx, website, lookout.Event{Name: "right", Title: "Shop", Device: "mobile", Country: "DE", UTMTerm: "shoes"}, lookout.Event{}))
	check(partly.Code == lookout.CodeValidation && strings.HasPrefix(partly.RequestID, "req_"), "an event without a name: "+partly.Error())
	check(len(partly.Details) == 1 && partly.Details[0].Field == "events[1]", fmt.Sprint("the wrong event: ", partly.Details))

	links, err := ask(client, query("/", querytype.LinkTotalClicks.Parameter()))
	must(err)
	_, err = querytype.LinkTotalClicks.Rows(links)
	check(errorOf(err).Code == lookout.CodeQuery, "a parameter that could not be answered")
}

// What is to know about the rows of one type comes with them, of a whole request.
func answered(client *lookout.Client) {
	misspelt := &lookoutv1.Query{Preset: values.DatePresetToday, Goal: lookout.Goal("page_veiw"), Compare: &lookoutv1.Comparison{Period: "previous"}}
	requestID := ""
	noting := lookout.WithOnHeader(func(header http.Header) { requestID = header.Get("X-Request-Id") })
	got, err := querytype.GoalConversions.AskRequest(ctx, client,
		&lookoutv1.QueryRequest{WebsiteId: website, Timezone: "Asia/Tokyo", Query: misspelt}, noting)
	must(err)
	check(len(got.Rows) == 1 && len(got.Meta.Hints) == 1 && strings.Contains(got.Meta.Hints[0].Message, "page_veiw"), fmt.Sprint("a hint: ", got.Meta))
	check(got.Compared != nil && len(got.Compared.Rows) == 1 && strings.Contains(got.Compared.Period.From, "T15:00"), fmt.Sprint("days of Tokyo: ", got.Compared))
	check(requestID != "", "an option of the call")
	var amounts []querytype.Amount = got.Rows[0].Revenue
	check(len(amounts) == 0, "no revenue")
	for got, err := range querytype.GoalConversions.WatchRequest(ctx, client, &lookoutv1.WatchRequest{WebsiteId: website, Timezone: "Asia/Tokyo", Query: misspelt}) {
		must(err)
		check(len(got.Meta.Hints) == 1, "a hint of a watch")
		break
	}
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
		{"wrong key", base, lookout.Options{APIKey: "wrong"}, "INVALID_API_KEY", "Check Options.APIKey"},
		{"nothing listens", "http://127.0.0.1:9", lookout.Options{}, lookout.CodeUnreachable, "Check the address"},
		{"no such host", "http://lookout.invalid", lookout.Options{}, lookout.CodeUnreachable, "Check the address"},
		{"cut answer", broken + "/cut", lookout.Options{}, lookout.CodeBadAnswer, "broke off"},
		{"another server", broken + "/other", lookout.Options{}, lookout.CodeBadAnswer, "Check the address"},
		{"a proxy", broken + "/proxy", lookout.Options{}, lookout.CodeUnavailable, "a proxy"},
		{"no answer", broken + "/hang", short, lookout.CodeTimeout, "allow more"},
		{"nothing listens, gRPC", "http://127.0.0.1:9", overGRPC(""), lookout.CodeUnreachable, "Check the address"},
		{"cut answer, gRPC", brokenGRPC, overGRPC("cut"), lookout.CodeBadAnswer, "broke off"},
		{"reset answer, gRPC", brokenGRPC, overGRPC("reset"), lookout.CodeBadAnswer, "broke off"},
		{"another server, gRPC", brokenGRPC, overGRPC("other"), lookout.CodeBadAnswer, "Check the address"},
		{"a proxy, gRPC", brokenGRPC, overGRPC("proxy"), lookout.CodeUnavailable, "a proxy"},
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
	for _, err := range client.Queries.Watch(ctx, &lookoutv1.WatchRequest{WebsiteId: website}) {
		check(errorOf(err).Code == lookout.CodeTimeout, "a watch without a message: "+fmt.Sprint(err))
	}
}

// Calls that fail for a while are made again where that is allowed.
func retries() {
	unreliable := os.Getenv("UNRELIABLE")
	with := func(key string, retries int) *lookout.Client {
		return lookout.New(unreliable, lookout.Options{APIKey: key, MaxRetries: retries})
	}
	request, tries := &lookoutv1.QueryRequest{}, ""
	_, err := with("busy go", 0).Queries.Query(ctx, request, lookout.WithOnHeader(func(header http.Header) { tries = header.Get("X-Tries") }))
	must(err)
	check(tries == "3", "the third try is answered")
	_, err = with("busy go 2", -1).Queries.Query(ctx, request)
	check(errorOf(err).Code == lookout.CodeUnavailable && errorOf(err).RetryAfter == 50*time.Millisecond, "without retries")
	_, err = with("far go", 0).Queries.Query(ctx, request)
	check(errorOf(err).RetryAfter == 61*time.Second && errorOf(err).IsTemporary(), "a wait that is too long")
	_, err = with("lost go", 0).Queries.Query(ctx, request)
	must(err)
	ended, end := context.WithCancel(ctx)
	end()
	_, err = with("", 0).Queries.Query(ended, request)
	check(errorOf(err).Code == lookout.CodeCancelled, "a cancelled call")
	_, err = lookout.New(os.Getenv("BROKEN")+"/hang", lookout.Options{}).Queries.Query(
		ctx, request, lookout.WithTimeout(100*time.Millisecond))
	check(errorOf(err).Code == lookout.CodeTimeout, "the timeout of a call")
	created, err := with("lost create go", 0).Links.CreateLink(ctx, &lookoutv1.CreateLinkRequest{})
	must(err)
	check(created.Link.Slug == "1 of 2", "two tries with one key: "+created.Link.Slug)
}

// Lists are gone through page by page.
func pages(client *lookout.Client) {
	for _, key := range []string{"one", "two", "two", "three"} {
		request := &lookoutv1.CreateLinkRequest{WebsiteId: &website, TargetUrl: "https://example.com"}
		_, err := client.Links.CreateLink(ctx, request, lookout.WithIdempotencyKey(website+key))
		must(err)
	}
	size, count, wrong := uint32(2), 0, "wrong"
	for link, err := range client.AllLinks(ctx, &lookoutv1.ListLinksRequest{WebsiteId: &website, Limit: &size}) {
		must(err)
		check(strings.HasPrefix(link.TargetUrl, "https://example.com"), "a link: "+link.TargetUrl)
		count++
	}
	check(count == 3, "all links")
	for _, err := range client.AllLinks(ctx, &lookoutv1.ListLinksRequest{WebsiteId: &wrong}) {
		check(errorOf(err).Code != "", "an error instead of a link")
	}
	rows := 0
	today := &lookoutv1.QueryRequest{WebsiteId: website, Query: &lookoutv1.Query{Preset: "today", Limit: &size}}
	for page, err := range querytype.TopPages.All(ctx, client, today) {
		must(err)
		check(page.Views > 0, "a row")
		rows++
	}
	check(rows >= 2, "rows of more than one page")
}

// An export is waited for and downloaded by its id.
func exports(client *lookout.Client) {
	today := time.Now().UTC().Format(time.DateOnly)
	export, err := client.Data.CreateExport(ctx, &lookoutv1.CreateExportRequest{
		WebsiteId: website, StartDate: today, EndDate: today, Format: values.ExportFormatCsv, DataTypes: []string{values.ExportedDataEvents},
	})
	must(err)
	var file bytes.Buffer
	must(client.DownloadExport(ctx, export.ExportId, &file))
	archive, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	must(err)
	check(len(archive.File) > 0, "files in the archive")
	must(client.SaveExport(ctx, export.ExportId, "saved.zip"))
	saved, err := os.ReadFile("saved.zip")
	must(err)
	check(bytes.Equal(saved, file.Bytes()), "the same file")
	_, err = client.WaitForExport(ctx, "00000000-0000-4000-8000-000000000000")
	check(strings.Contains(err.Error(), "DataCalls.ListExports lists a website's"), "a call by its name: "+err.Error())
	check(errorOf(err).Code == lookout.CodeNotFound, "no such export")
	err = client.SaveExport(ctx, "00000000-0000-4000-8000-000000000000", "saved.zip")
	_, kept := os.Stat("saved.zip")
	check(errorOf(err).Code == lookout.CodeNotFound && kept == nil, "the file from before")
}

func webhooks() {
	secret, at := "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", time.Now()
	for _, kind := range []string{"incident.opened", "incident.escalated", "incident.resolved", "certificate.expiring", "test"} {
		header, err := webhook.Sign(secret, "msg_1", at, webhook.Sample(kind))
		must(err)
		event, err := webhook.Receiver{Secret: secret}.Event(header, webhook.Sample(kind))
		must(err)
		check(webhook.HeadOf(event).ID == "msg_1", kind)
		if escalated, ok := event.(*webhook.IncidentEscalated); ok {
			check(escalated.AfterMinutes == 15 && escalated.Incident.ResolvedAt == nil && escalated.Monitor.Name == "Shop", kind)
		}
		_, isUnknown := event.(*webhook.Unknown)
		check(!isUnknown, kind)
		_, err = webhook.Receiver{Secret: secret}.Event(header, append(webhook.Sample(kind), ' '))
		check(errors.Is(err, webhook.ErrSignature), "a changed body")
		later := webhook.Receiver{Secret: secret, Now: func() time.Time { return at.Add(6 * time.Minute) }}
		_, err = later.Event(header, webhook.Sample(kind))
		check(errors.Is(err, webhook.ErrTime), "a replay")
		_, err = webhook.Receiver{Secret: "no secret"}.Event(header, webhook.Sample(kind))
		check(errors.Is(err, webhook.ErrSecret), "a secret that is none")
	}
	// What the service has signed, from the specification of Standard Webhooks.
	header := http.Header{"Webhook-Id": {"msg_p5jXN8AQM9LWM0D4loKWxJek"}, "Webhook-Timestamp": {"1614265330"},
		"Webhook-Signature": {"v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}}
	sent := webhook.Receiver{Secret: secret, Now: func() time.Time { return time.Unix(1614265330, 0) }}
	_, err := sent.Event(header, []byte(`{"test": 2432232314}`))
	check(!errors.Is(err, webhook.ErrSignature), "the signature of the specification")
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
