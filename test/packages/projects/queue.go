// What becomes of events that wait in a queue of lookout.dev/client when something fails that does not pass by itself. The test builds and runs
// it outside the repository.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// told is what a queue has said: `dropped` and the names of events, or `blocked`, each with the code.
type told struct {
	mutex sync.Mutex
	lines []string
}

func (t *told) add(line string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.lines = append(t.lines, line)
}

func (t *told) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return strings.Join(t.lines, ", ")
}

// is says whether this is all that was said. Queues call back on a goroutine of their own, perhaps only after Flush.
func (t *told) is(expected string) bool {
	for end := time.Now().Add(5 * time.Second); t.String() == "" && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return t.String() == expected
}

func main() {
	blocking()
	lacking()
	culprits()
	tooLarge()
	refusingProxy()
	fmt.Println("done")
}

func client(key string) *lookout.Client {
	transport := lookout.NewTransport()
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetUnencryptedHTTP2(true)
	return lookout.New(os.Getenv("INTERRUPTED"), lookout.Options{APIKey: key, HTTPClient: &http.Client{Transport: transport}})
}

func queueOf(client *lookout.Client, events ...lookout.Event) (*lookout.EventQueue, *told) {
	said := &told{}
	queue := client.NewEventQueue("website", lookout.EventQueueOptions{
		FlushInterval: time.Hour,
		OnDropped: func(events []lookout.Event, err *lookout.Error) {
			names := ""
			for _, event := range events {
				names += event.Name + " "
			}
			said.add("dropped " + names + err.Code)
		},
		OnBlocked: func(err *lookout.Error) { said.add("blocked " + err.Code) },
	})
	for _, event := range events {
		must(queue.Track(event))
	}
	return queue, said
}

// An error that the caller must fix is reported, Flush fails at once, and the events wait.
func blocking() {
	for key, code := range map[string]string{
		"status-403 go": lookout.CodeBadAnswer, "status-404 go": lookout.CodeBadAnswer, "status-407 go": lookout.CodeBadAnswer,
		"fails-NOT_IMPLEMENTED go": lookout.CodeNotImplemented, "fails-PAYMENT_REQUIRED go": "PAYMENT_REQUIRED",
	} {
		queue, said := queueOf(client(key), lookout.Event{Name: "a"}, lookout.Event{Name: "b"})
		err := queue.Flush(soon())
		check(lookout.CodeOf(err) == code && queue.Len() == 2 && said.is("blocked "+code), key+": "+fmt.Sprint(err, queue.Len(), said))
		must(queue.Flush(soon()))
		check(queue.Len() == 0 && said.is("blocked "+code), key+": "+said.String())
	}
}

// An answer without a result of each event is none of Lookout: no event counts as stored.
func lacking() {
	events := []lookout.Event{{Name: "a"}, {Name: "b"}}
	queue, said := queueOf(client("lacking go"), events...)
	err := queue.Flush(soon())
	failure, ok := err.(*lookout.Error)
	check(ok && failure.Code == lookout.CodeBadAnswer && !failure.IsTemporary() && queue.Len() == 2, fmt.Sprint(err, said))
	check(strings.HasPrefix(failure.Message, "the answer has results of 1 events, not of the 2 that were sent"), failure.Message)
	must(queue.Flush(soon()))
	check(said.is("blocked BAD_ANSWER"), said.String())
	err = client("lacking track go").Track(soon(), "website", events...)
	check(lookout.CodeOf(err) == lookout.CodeBadAnswer, fmt.Sprint(err))
}

// Only the event that the service names is dropped. Those of its batch are sent.
func culprits() {
	queue, said := queueOf(client("fails-VALIDATION_ERROR go"), lookout.Event{Name: "a"}, lookout.Event{Name: "b"}, lookout.Event{Name: "c"})
	must(queue.Flush(soon()))
	check(queue.Len() == 0 && said.is("dropped b VALIDATION_ERROR"), said.String())
}

// What a proxy takes not even alone is dropped. What it takes not at once goes in smaller batches.
func tooLarge() {
	queue, said := queueOf(client("limit-1000 go"), lookout.Event{Name: "a"}, lookout.Event{Name: "b", Title: strings.Repeat("b", 2_000)}, lookout.Event{Name: "c"})
	must(queue.Flush(soon()))
	check(queue.Len() == 0 && said.is("dropped b BAD_ANSWER"), said.String())
	queue, said = queueOf(client("status-413 go"), lookout.Event{Name: "a"}, lookout.Event{Name: "b"})
	must(queue.Flush(soon()))
	tries := ""
	_, err := client("status-413 go").Links.ListLinks(soon(), &lookoutv1.ListLinksRequest{}, lookout.WithOnHeader(func(header http.Header) { tries = header.Get("X-Tries") }))
	must(err)
	check(tries == "4" && said.String() == "", "refused, each event alone, and the list: "+tries+said.String())
}

// A proxy that asks for a password does not let anything through until it has one.
func refusingProxy() {
	pem, err := os.ReadFile(os.Getenv("AUTHORITY"))
	must(err)
	proxy, err := url.Parse(os.Getenv("REFUSING_PROXY"))
	must(err)
	transport := lookout.NewTransport()
	transport.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
	transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem)
	transport.Proxy = http.ProxyURL(proxy)
	through := lookout.New(os.Getenv("SECURE"), lookout.Options{HTTPClient: &http.Client{Transport: transport}})
	queue, said := queueOf(through, lookout.Event{Name: "a"})
	err = queue.Flush(soon())
	check(lookout.CodeOf(err) == lookout.CodeBadAnswer && strings.Contains(err.Error(), "asks for a name and a password"), fmt.Sprint(err))
	check(queue.Len() == 1 && said.is("blocked BAD_ANSWER"), said.String())
}

func soon() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	time.AfterFunc(5*time.Second, cancel)
	return ctx
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
