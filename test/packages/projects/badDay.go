// What a program with lookout.dev/client sees on a bad day. The test builds and runs it outside the repository.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"net/http"
	"os"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

var ctx, base = context.Background(), os.Getenv("BAD_DAY")

func with(key string) *lookout.Client { return lookout.New(base, lookout.Options{APIKey: key}) }

func main() {
	events()
	deletions()
	lostAnswers()
	requests()
	watches()
	silence()
	addresses()
	cancelled()
	queues()
	downloads()
	fmt.Println("done")
}

// Events without an id get one, so that they are sent again and counted once; the caller's message stays as it is.
func events() {
	one := "one"
	track := &lookoutv1.TrackRequest{Events: []*lookoutv1.CustomEvent{{Name: "order"}, {EventId: &one, Name: "order"}}}
	sent, err := with("lost track go").Ingest.Track(ctx, track)
	must(err)
	check(sent.Status == "2 of 1" && track.Events[0].EventId == nil, "the same ids twice: "+sent.Status)
	batch := &lookoutv1.BatchRequest{Events: []*lookoutv1.Event{
		{Payload: &lookoutv1.Event_Flat{Flat: &lookoutv1.FlatEvent{}}},
		{Payload: &lookoutv1.Event_Track{Track: &lookoutv1.TrackPayload{}}},
		{Payload: &lookoutv1.Event_OutgoingLink{OutgoingLink: &lookoutv1.OutgoingLinkPayload{}}},
	}}
	answer, err := with("lost batch go").Ingest.Batch(ctx, batch)
	must(err)
	check(answer.Status == "2 of 1", "the same ids in a batch: "+answer.Status)
}

// What a lost try has deleted is deleted; what never was is not found.
func deletions() {
	done, err := with("lost delete go").Links.DeleteLink(ctx, &lookoutv1.DeleteLinkRequest{})
	must(err)
	check(done.Success, "deleted by the try whose answer was lost")
	_, err = with("gone go").Links.DeleteLink(ctx, &lookoutv1.DeleteLinkRequest{})
	check(errorOf(err).Code == lookout.CodeNotFound, "nothing to delete")
}

// A lost answer is not a service that is down.
func lostAnswers() {
	for _, protocol := range []string{"connect", "grpc"} {
		client := with("always " + protocol)
		if protocol == "grpc" {
			client = lookout.New(os.Getenv("BAD_DAY_GRPC"), lookout.Options{APIKey: "always grpc", HTTPClient: plainHTTP2(lookout.NewTransport()),
				Connect: []connect.ClientOption{connect.WithGRPC()}})
		}
		_, err := client.Links.GetLink(ctx, &lookoutv1.GetLinkRequest{})
		lost := errorOf(err)
		check(lost.Code == lookout.CodeBadAnswer && strings.HasSuffix(lost.Message, "). Try again"), protocol+": "+lost.Error())
		_, err = client.Links.CreateLink(ctx, &lookoutv1.CreateLinkRequest{})
		check(strings.Contains(errorOf(err).Message, "may have been carried out"), protocol+": "+err.Error())
	}
	_, err := with("late go").Links.GetLink(ctx, &lookoutv1.GetLinkRequest{})
	must(err)
}

// A request that is used again is another call, and stays as the caller made it.
func requests() {
	client := with("requests go")
	request := &lookoutv1.CreateLinkRequest{}
	mine := lookout.WithHeader("X-Mine", "1")
	_, err := client.Links.CreateLink(ctx, request, mine)
	must(err)
	again, err := client.Links.CreateLink(ctx, request, mine)
	must(err)
	check(again.Link.GetName() == "2 of 2", "a key for each call: "+again.Link.GetName())
	check(proto.Equal(request, &lookoutv1.CreateLinkRequest{}), fmt.Sprint("the caller's request: ", request))
	agent := ""
	_, err = client.Links.GetLink(ctx, &lookoutv1.GetLinkRequest{}, lookout.WithOnHeader(func(header http.Header) { agent = header.Get("X-Agent") }))
	must(err)
	check(strings.HasPrefix(agent, "lookout-go/0.0.1 connect-go/"), "the client's name: "+agent)
	same := []lookout.CallOption{lookout.WithIdempotencyKey("mine"), lookout.WithTimeout(time.Minute)}
	for range 2 {
		created, err := with("same go").Links.CreateLink(ctx, &lookoutv1.CreateLinkRequest{}, same...)
		must(err)
		check(strings.HasSuffix(created.Link.GetName(), "of 1"), "a key of the caller's: "+created.Link.GetName())
	}
}

// A watch goes on after a failure, tells it, and ends when it is cancelled.
func watches() {
	var told []string
	watched, stop := context.WithCancel(ctx)
	defer stop()
	telling := lookout.WithOnReconnect(func(failure *lookout.Error, _ time.Duration) { told = append(told, failure.Code) })
	messages := 0
	for _, err := range with("watch go").Queries.Watch(watched, &lookoutv1.WatchRequest{}, telling) {
		if err != nil {
			check(errorOf(err).Code == lookout.CodeCancelled, "ended: "+err.Error())
			break
		}
		if messages++; messages == 2 {
			stop()
		}
	}
	check(messages == 2 && strings.Join(told, " ") == lookout.CodeUnavailable+" "+lookout.CodeUnavailable, fmt.Sprint(messages, told))
	for _, err := range with("watch refused go").Queries.Watch(ctx, &lookoutv1.WatchRequest{}) {
		check(errorOf(err).Code == lookout.CodeUnavailable, "refused at opening")
	}
}

// A connection that has died without a word is noticed, and a watch opens another one.
func silence() {
	transport := lookout.NewTransport()
	transport.HTTP2.SendPingTimeout, transport.HTTP2.PingTimeout = 300*time.Millisecond, 300*time.Millisecond
	client := lookout.New(os.Getenv("BAD_DAY_SILENT"), lookout.Options{APIKey: "watch silent go", HTTPClient: plainHTTP2(transport)})
	told := ""
	telling := lookout.WithOnReconnect(func(failure *lookout.Error, _ time.Duration) { told = failure.Code })
	for _, err := range client.Queries.Watch(ctx, &lookoutv1.WatchRequest{}, telling) {
		must(err)
		if told != "" {
			break
		}
	}
	check(told != "", "the silence was noticed")
	// Over HTTP/1.1 by the messages that keep it alive, which a loop does not see.
	answers := 0
	for message, err := range with("watch quiet go").Queries.Watch(ctx, &lookoutv1.WatchRequest{KeepAliveSeconds: proto.Uint32(1)}) {
		must(err)
		check(message.Answer != nil, "a message with an answer")
		if answers++; answers == 2 {
			break
		}
	}
	check(answers == 2, "another connection after the quiet one")
	// Also when no such message has ever come.
	answers, told = 0, ""
	still, leave := context.WithCancel(ctx)
	telling = lookout.WithOnReconnect(func(failure *lookout.Error, _ time.Duration) { told += failure.Error() + " " })
	defer leave()
	time.AfterFunc(20*time.Second, leave)
	for _, err := range with("watch silent still go").Queries.Watch(still, &lookoutv1.WatchRequest{KeepAliveSeconds: proto.Uint32(1)}, telling) {
		must(err)
		if answers++; answers == 2 {
			break
		}
	}
	check(answers == 2 && strings.HasPrefix(told, "TIMEOUT: nothing came of the stream for 2.5s"), "another connection after one answer and nothing more: "+told)
	// A stream that is alive but does not answer is late.
	mute := lookout.New(base, lookout.Options{APIKey: "watch mute go", Timeout: 300 * time.Millisecond})
	for _, err := range mute.Queries.Watch(ctx, &lookoutv1.WatchRequest{}) {
		check(errorOf(err).Code == lookout.CodeTimeout, "no answer: "+err.Error())
	}
}

// Events of a queue are sent again until they have arrived, and what is given up is told.
func queues() {
	var dropped []string
	blocked := 0
	onDropped := func(events []lookout.Event, err *lookout.Error) {
		dropped = append(dropped, events[0].Name+" "+err.Code)
	}
	options := lookout.EventQueueOptions{MaxEvents: 3, FlushInterval: 10 * time.Millisecond, OnDropped: onDropped,
		OnBlocked: func(*lookout.Error) { blocked++ }}
	soon, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()

	// Longer than a call is repeated, then all of them at once and with the same ids.
	client := lookout.New(base, lookout.Options{APIKey: "down 4 queue go", MaxRetries: -1})
	queue := client.NewEventQueue("website", options)
	for _, name := range []string{"a", "b", "c"} {
		must(queue.Track(lookout.Event{Name: name}))
	}
	check(lookout.CodeOf(queue.Track(lookout.Event{Name: "beyond"})) == lookout.CodeQueueFull && queue.Len() == 3, "the bound")
	wrong := errorOf(queue.Track(lookout.Event{Name: "wrong", Properties: map[string]any{"total": math.NaN()}}))
	check(wrong.Code == lookout.CodeValidation && wrong.Details[0].Field == "event.properties.total", "a property without JSON: "+wrong.Error())
	check(lookout.CodeOf(client.Track(ctx, "website", lookout.Event{Properties: map[string]any{"f": func() {}}})) == lookout.CodeValidation, "a function")
	// Nothing of this may keep the events from being sent that wait already.
	for field, event := range map[string]lookout.Event{
		"event.name":                 {},
		"event.path":                 {Name: "wrong", Path: "/\xff"},
		"event.properties.revenue":   {Name: "wrong", Properties: map[string]any{"revenue": math.Inf(-1)}},
		"event.properties.cart.a[1]": {Name: "wrong", Properties: map[string]any{"cart": map[string]any{"a": []any{1, math.NaN()}}}},
		"event.properties.huge":      {Name: "wrong", Properties: map[string]any{"huge": json.Number("1e400")}},
		"event.properties.twice":     {Name: "wrong", Properties: map[string]any{"twice": json.RawMessage(`{"a": 1, "a": 2}`)}},
		"event.properties.\uFFFD":    {Name: "wrong", Properties: map[string]any{"\xff": 1}},
	} {
		refused := errorOf(queue.Track(event))
		check(refused.Code == lookout.CodeValidation && refused.Details[0].Field == field, field+": "+refused.Error())
		check(dropped[len(dropped)-1] == event.Name+" VALIDATION_ERROR", fmt.Sprint("told: ", dropped))
		dropped = dropped[:len(dropped)-1]
	}
	must(queue.Flush(soon))
	properties := map[string]any{"plan": "pro"}
	must(queue.Track(lookout.Event{Name: "refused", Properties: properties}))
	// The event is what it was when it was tracked.
	properties["plan"] = math.NaN()
	must(queue.Close(soon))
	check(lookout.CodeOf(queue.Track(lookout.Event{Name: "late"})) == lookout.CodeQueueFull && queue.Len() == 0, "closed")
	check(strings.Join(dropped, ", ") == "beyond QUEUE_FULL, wrong VALIDATION_ERROR, refused VALIDATION_ERROR, late QUEUE_FULL", fmt.Sprint(dropped))

	// What is refused is named by its place among the events that are handed over.
	places := ""
	options.MaxEvents, options.OnDropped = 4, func(events []lookout.Event, err *lookout.Error) {
		for _, detail := range err.Details {
			places += detail.Field + " "
		}
		places += fmt.Sprint(len(events), " ", err.Message)
	}
	queue = with("places queue go").NewEventQueue("website", options)
	for _, name := range []string{"a", "refused", "b", "refused"} {
		must(queue.Track(lookout.Event{Name: name}))
	}
	must(queue.Close(soon))
	check(places == "events[0] events[1] 2 2 of 2 events are wrong. events[0]: the name is refused", places)

	// A wrong key loses nothing until the queue is closed.
	options.OnDropped = onDropped
	dropped = nil
	queue = with("denied queue go").NewEventQueue("website", options)
	must(queue.Track(lookout.Event{Name: "denied"}))
	check(lookout.CodeOf(queue.Flush(soon)) == lookout.CodeAccessDenied && queue.Len() == 1 && blocked == 1, "waits for another key")
	check(lookout.CodeOf(queue.Close(soon)) == lookout.CodeAccessDenied && strings.Join(dropped, "") == "denied ACCESS_DENIED", fmt.Sprint(dropped))
}

// A download that breaks off or stalls goes on where it was.
func downloads() {
	client := lookout.New(base, lookout.Options{APIKey: "download go", Timeout: time.Second})
	for _, export := range []string{"broken go", "stalled go", "cut go", "old go"} {
		var file bytes.Buffer
		soon, cancel := context.WithTimeout(ctx, 20*time.Second)
		must(client.DownloadExport(soon, export, &file))
		cancel()
		check(file.String() == "PK first second", export+": "+file.String())
	}
	ahead := client.DownloadExport(ctx, "ahead go", new(bytes.Buffer))
	check(errorOf(ahead).Code == lookout.CodeBadAnswer, "a gap in a file: "+ahead.Error())
	once := lookout.New(base, lookout.Options{APIKey: "download go", Timeout: time.Second, MaxRetries: -1})
	err := once.DownloadExport(ctx, "stalled once go", new(bytes.Buffer))
	check(errorOf(err).Code == lookout.CodeTimeout, "a stalled download: "+err.Error())
}

func plainHTTP2(transport *http.Transport) *http.Client {
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: transport}
}

// What is wrong with an address or a key is said when the client is made.
func addresses() {
	for _, each := range []struct{ address, key, suggestion, part string }{
		{"", "", "", "it is empty"},
		{"lookout.example.com", "", "https://lookout.example.com", "must be an address"},
		{"127.0.0.1:8080", "", "http://127.0.0.1:8080", "must be an address"},
		{"ftp://lookout.example.com", "", "", "must be an address"},
		{"https://lookout.example.com?key=1", "", "", "must end with"},
		{"https://lookout.example.com", "secret\nkey", "", "one line"},
		{"https://lookout.example.com", " \n", "", "blank"},
	} {
		_, err := lookout.NewClient(each.address, lookout.Options{APIKey: each.key})
		failure := errorOf(err)
		check(failure.Code == lookout.CodeValidation && strings.Contains(failure.Message, each.part), failure.Error())
		check(failure.Details[0].Suggestion == each.suggestion && !strings.Contains(failure.Error(), "secret"), failure.Error())
		_, err = lookout.New(each.address, lookout.Options{APIKey: each.key}).Links.GetLink(ctx, &lookoutv1.GetLinkRequest{})
		check(errorOf(err).Code == lookout.CodeValidation, "the error of each call")
	}
	_, err := with("text go").Links.CreateLink(ctx, &lookoutv1.CreateLinkRequest{TargetUrl: "\xff"})
	unwritten := errorOf(err)
	check(unwritten.Code == lookout.CodeValidation && unwritten.Details[0].Field == "target_url", "a text that is not UTF-8: "+unwritten.Error())
	for _, err := range with("text go").Queries.Watch(ctx, &lookoutv1.WatchRequest{Query: &lookoutv1.Query{Preset: "\xff"}}) {
		check(lookout.CodeOf(err) == lookout.CodeValidation && strings.HasPrefix(err.Error(), "VALIDATION_ERROR: query.preset "), "of a stream: "+err.Error())
	}
	_, err = with("header go").Links.GetLink(ctx, &lookoutv1.GetLinkRequest{}, lookout.WithHeader("My header", "secret"))
	check(lookout.CodeOf(err) == lookout.CodeValidation && strings.Contains(err.Error(), "My header") && !strings.Contains(err.Error(), "secret"), err.Error())
	_, err = lookout.NewClient(base+"/", lookout.Options{APIKey: "key\n"})
	must(err)
}

// Cancelling ends a wait for the next try, and timeouts are those of contexts.
func cancelled() {
	waiting, cancel := context.WithCancel(ctx)
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := with("busy go").Links.GetLink(waiting, &lookoutv1.GetLinkRequest{})
	check(errorOf(err).Code == lookout.CodeCancelled && errors.Is(err, context.Canceled), "cancelled while waiting: "+err.Error())
	hanging := lookout.New(os.Getenv("BROKEN")+"/hang", lookout.Options{Timeout: 100 * time.Millisecond})
	for _, err := range hanging.Queries.Watch(ctx, &lookoutv1.WatchRequest{}) {
		check(errorOf(err).Code == lookout.CodeTimeout && errors.Is(err, context.DeadlineExceeded), "late: "+err.Error())
	}
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
