// A shop's server that tells Lookout of each order. POST /orders takes {"id": "4711", "total": 19.9}.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	lookout "lookout.dev/client"
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
		// With an id an event counts once, however often it is sent.
		sold := lookout.Event{Name: "order", ID: "order-" + placed.ID, Properties: map[string]any{"total": placed.Total}}
		// The order counts, whether it is in the statistics or not.
		if err := client.Track(request.Context(), os.Getenv("WEBSITE"), sold); err != nil {
			log.Print("order ", placed.ID, " is not counted: ", err)
		}
		response.WriteHeader(http.StatusNoContent)
	})
	log.Print("orders at http://127.0.0.1:", os.Getenv("PORT"))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
