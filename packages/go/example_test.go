package lookout_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
	"lookout.dev/client/lookouttest"
)

var ctx = context.Background()

// clientOf is a client whose calls are answered in memory. Programs have one of NewClient.
func clientOf(settings ...lookouttest.Setting) *lookout.Client {
	return lookouttest.New(new(testing.T), settings...).Client()
}

func ExampleNewClient() {
	client, err := lookout.NewClient("https://lookout.example.com", lookout.Options{APIKey: os.Getenv("LOOKOUT_KEY")})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = client

	_, err = lookout.NewClient("lookout.example.com", lookout.Options{})
	fmt.Println(lookout.CodeOf(err) == lookout.CodeValidation)
	fmt.Println(err)
	// Output:
	// true
	// VALIDATION_ERROR: baseURL must be an address such as https://lookout.example.com, not "lookout.example.com". Did you mean https://lookout.example.com?
}

func ExampleClient_AllLinks() {
	client := clientOf(lookouttest.Answer(lookout.LinkCalls.ListLinks, &lookoutv1.ListLinksResponse{
		Links: []*lookoutv1.Link{{Slug: "summer", Clicks: 5_434_321}, {Slug: "winter"}},
	}))

	for link, err := range client.AllLinks(ctx, &lookoutv1.ListLinksRequest{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		// Counts in messages are float64: %.0f writes them as whole numbers.
		fmt.Printf("%s %.0f\n", link.Slug, link.Clicks)
	}
	// Output:
	// summer 5434321
	// winter 0
}

func ExampleClient_NewEventQueue() {
	client := clientOf()

	events := client.NewEventQueue("website", lookout.EventQueueOptions{
		OnDropped: func(events []lookout.Event, err *lookout.Error) { fmt.Println(len(events), "dropped:", err) },
	})
	// The same id counts once, however often it is tracked.
	if err := events.Track(lookout.Event{Name: "signed_up", ID: "signed_up-4711"}); err != nil {
		fmt.Println(err)
	}

	// At the end of the program.
	soon, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := events.Close(soon); err != nil {
		fmt.Println(err)
	}
	fmt.Println(events.Len(), "events wait")
	// Output: 0 events wait
}
