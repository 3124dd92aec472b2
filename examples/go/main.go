// A shop's server that tells Lookout of each order. POST /orders takes {"id": "4711", "total": 19.9}.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

type order struct {
	ID    string  `json:"id"`
	Total float64 `json:"total"`
}

func main() {
	client := lookout.New(os.Getenv("BASE"), lookout.Options{APIKey: os.Getenv("KEY")})
	http.HandleFunc("POST /orders", func(response http.ResponseWriter, request *http.Request) {
		var placed order
		if err := json.NewDecoder(request.Body).Decode(&placed); err != nil || placed.ID == "" {
			http.Error(response, "an order has an id and a total", http.StatusBadRequest)
			return
		}
		// The order counts; statistics must not lose it.
		if err := send(request, client, placed); err != nil {
			log.Print("order ", placed.ID, " is not counted: ", err)
		}
		response.WriteHeader(http.StatusNoContent)
	})
	log.Print("orders at http://127.0.0.1:", os.Getenv("PORT"))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func send(request *http.Request, client *lookout.Client, placed order) error {
	// With an id an event counts once, however often it is sent.
	id := "order-" + placed.ID
	_, err := client.Ingest.Track(request.Context(), connect.NewRequest(&lookoutv1.TrackRequest{
		WebsiteId: os.Getenv("WEBSITE"),
		Events: []*lookoutv1.CustomEvent{{
			EventId:    &id,
			Name:       "order",
			Properties: &structpb.Struct{Fields: map[string]*structpb.Value{"total": structpb.NewNumberValue(placed.Total)}},
		}},
	}))
	return err
}
