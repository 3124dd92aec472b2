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
)

func main() {
	ctx, base, website := context.Background(), os.Getenv("BASE"), os.Getenv("WEBSITE")
	http2 := &http.Transport{Protocols: new(http.Protocols)}
	http2.Protocols.SetUnencryptedHTTP2(true)
	clients := map[string]*lookout.Client{
		"connect": lookout.New(base, lookout.Options{APIKey: os.Getenv("KEY")}),
		"grpc": lookout.New(base, lookout.Options{
			APIKey:     os.Getenv("KEY"),
			HTTPClient: &http.Client{Transport: http2},
			Connect:    []connect.ClientOption{connect.WithGRPC()},
		}),
	}
	for protocol, client := range clients {
		sendAndQuery(ctx, protocol, client, website)
	}
	failures(ctx, clients["connect"], website)
	fmt.Println("done")
}

func query(website string, name string, path string) *lookoutv1.Query {
	return &lookoutv1.Query{
		Preset:     "today",
		Parameters: []*lookoutv1.QueryParameter{{Name: name}},
		Filters:    []*lookoutv1.QueryFilter{{Field: "path", Op: "eq", Value: structpb.NewStringValue(path)}},
	}
}

func sendAndQuery(ctx context.Context, protocol string, client *lookout.Client, website string) {
	path := "/" + protocol
	id, visitor, name := "view "+protocol, "visitor", "page_view"
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
		WebsiteId: website, Query: query(website, "summary_metrics", path),
	}))
	must(err)
	for stream.Receive() {
		if stream.Msg().Answer.Data[0].Data[0].Fields["pageviews"].GetNumberValue() == 1 {
			break
		}
	}
	must(stream.Err())

	answer, err := client.Queries.Query(ctx, connect.NewRequest(&lookoutv1.QueryRequest{
		WebsiteId: website, Query: query(website, "top_pages", path),
	}))
	must(err)
	row := answer.Msg.Single.Data[0].Data[0].Fields
	check(row["path"].GetStringValue() == path && row["views"].GetNumberValue() == 1, "one view of the page")
}

func failures(ctx context.Context, client *lookout.Client, website string) {
	ask := func(client *lookout.Client, name string) *lookout.Error {
		_, err := client.Queries.Query(ctx, connect.NewRequest(&lookoutv1.QueryRequest{
			WebsiteId: website, Query: query(website, name, "/"),
		}))
		var failure *lookout.Error
		check(errors.As(err, &failure), "the error is a *lookout.Error")
		return failure
	}
	unknown := ask(client, "top_pagse")
	check(unknown.Code == "VALIDATION_ERROR" && strings.HasPrefix(unknown.RequestID, "req_"), "code and request id")
	check(unknown.Details[0].Field == "parameters[0]", "the field")
	check(strings.Contains(unknown.Details[0].Message, "Did you mean top_pages?"), "the suggestion")

	base := os.Getenv("BASE")
	check(ask(lookout.New(base, lookout.Options{APIKey: "wrong"}), "top_pages").Code == "INVALID_API_KEY", "wrong key")
	check(ask(lookout.New("http://127.0.0.1:9", lookout.Options{}), "top_pages").Code == lookout.CodeUnreachable, "down")
	broken := os.Getenv("BROKEN")
	check(ask(lookout.New(broken+"/cut", lookout.Options{}), "top_pages").Code == lookout.CodeBadAnswer, "cut answer")
	check(ask(lookout.New(broken+"/other", lookout.Options{}), "top_pages").Code == lookout.CodeBadAnswer, "other server")
	short := lookout.Options{Timeout: 300 * time.Millisecond}
	check(ask(lookout.New(broken+"/hang", short), "top_pages").Code == lookout.CodeTimeout, "no answer")
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
