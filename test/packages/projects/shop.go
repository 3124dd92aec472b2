// What a shop's program does with lookout.dev/client in as few lines as it takes. The test builds and runs it outside the repository.
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
	"time"

	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
	"lookout.dev/client/querytype"
	"lookout.dev/client/values"
)

var ctx = context.Background()

func main() {
	client := lookout.New(os.Getenv("BASE"), lookout.Options{APIKey: os.Getenv("KEY")})
	campaigns(client, os.Getenv("WEBSITE"))
	times(client)
	certificates()
	quiet()
	fmt.Println("done")
}

// Visits of two campaigns, of which one brings a sign-up.
func campaigns(client *lookout.Client, website string) {
	view := lookout.Event{Name: lookout.PageView, AnonymousID: "shop-1", Path: "/shop", UTMSource: "mail", UTMCampaign: "spring"}
	other := view
	other.AnonymousID, other.UTMCampaign = "shop-2", "summer"
	properties := map[string]any{"plan": "pro", "at": time.Now(), "tags": []string{"a", "b"}, "steps": 3}
	signup := lookout.Event{Name: "signup", ID: "shop signup", AnonymousID: "shop-1", Time: time.Now(), Properties: properties}
	// Sent twice, counted once.
	for range 2 {
		must(client.Track(ctx, website, view, other, signup))
	}
	err := client.Track(ctx, website, view, lookout.Event{AnonymousID: "shop-3"})
	check(lookout.CodeOf(err) == lookout.CodeValidation && strings.Contains(err.Error(), "events[1]: "), fmt.Sprint("an event without a name: ", err))

	query := &lookoutv1.Query{
		Preset:  values.DatePresetToday,
		Goal:    lookout.Goal("signup"),
		Filters: []*lookoutv1.QueryFilter{lookout.Filter("utm_campaign", values.FilterOperatorIn, "spring", "summer")},
	}
	bySource := querytype.GoalConversions.WithSplitBy("utm_campaign").WithLimit(10)
	for rows, err := range bySource.Watch(ctx, client, website, query) {
		must(err)
		if len(rows) > 1 && *rows[0].Completions == 1 {
			break
		}
	}
	rows, err := querytype.UtmCampaigns.Ask(ctx, client, website, query)
	must(err)
	check(len(rows) == 2 && rows[0].Name == "spring" && *rows[0].Conversions == 1 && len(query.Parameters) == 0, fmt.Sprint(rows))
	query.Parameters = querytype.Parameters(querytype.SummaryMetrics, querytype.TopPages.WithLimit(1))
	answer, err := client.Queries.Query(ctx, &lookoutv1.QueryRequest{WebsiteId: website, Query: query})
	must(err)
	pages, err := querytype.TopPages.Rows(answer.Single)
	must(err)
	check(len(pages) == 1 && pages[0].Path == "/shop", fmt.Sprint(pages))
	query.Filters = []*lookoutv1.QueryFilter{lookout.Filter("utm_campaign", values.FilterOperatorIsEmpty)}
	_, err = querytype.UtmCampaigns.Ask(ctx, client, website, query)
	must(err)
}

// Times are written into requests, and read from answers.
func times(client *lookout.Client) {
	soon := time.Now().Add(time.Hour).Truncate(time.Second)
	created, err := client.Links.CreateLink(ctx, &lookoutv1.CreateLinkRequest{
		TargetUrl: "https://example.com/times", WebsiteId: lookout.Ptr(os.Getenv("WEBSITE")), ExpiresAt: lookout.Ptr(lookout.Timestamp(soon)),
	})
	must(err)
	link := created.Link
	check(link.ExpiresAtTime().Equal(soon) && time.Since(link.CreatedAtTime()) < time.Hour, link.String())
	check((&lookoutv1.Link{}).ExpiresAtTime().IsZero(), "no time")
}

// A server whose certificate is of an unknown authority, of a known one, and behind a proxy.
func certificates() {
	base := os.Getenv("SECURE")
	_, err := lookout.New(base, lookout.Options{APIKey: "untrusted go"}).Links.ListLinks(ctx, nil)
	failure, ok := err.(*lookout.Error)
	check(ok && failure.Code == lookout.CodeUnreachable && !failure.IsTemporary(), fmt.Sprint(err))
	check(strings.Contains(failure.Message, "not of a trusted authority") && strings.Contains(failure.Message, "RootCAs"), failure.Message)

	pem, err := os.ReadFile(os.Getenv("AUTHORITY"))
	must(err)
	transport := lookout.NewTransport()
	transport.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
	transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem)
	proxy, err := url.Parse(os.Getenv("PROXY"))
	must(err)
	transport.Proxy = http.ProxyURL(proxy)
	trusting := lookout.New(base, lookout.Options{APIKey: "trusted go", HTTPClient: &http.Client{Transport: transport}})
	tries := ""
	_, err = trusting.Links.ListLinks(ctx, nil, lookout.WithOnHeader(func(header http.Header) { tries = header.Get("X-Tries") }))
	must(err)
	check(tries == "1", "the first try: "+tries)
}

// A proxy ends quiet connections, but not one with signs of life.
func quiet() {
	client := lookout.New(os.Getenv("BAD_DAY_IDLE"), lookout.Options{APIKey: "watch idle go"})
	for _, seconds := range []uint32{1, 300} {
		lost, answers := 0, 0
		counted := lookout.WithOnReconnect(func(*lookout.Error, time.Duration) { lost++ })
		for _, err := range client.Queries.Watch(ctx, &lookoutv1.WatchRequest{KeepAliveSeconds: &seconds}, counted) {
			must(err)
			if answers++; answers == 2 {
				break
			}
		}
		check((lost == 0) == (seconds == 1), fmt.Sprint("connections lost with a sign of life every ", seconds, " s: ", lost))
	}
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
