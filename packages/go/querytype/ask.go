package querytype

import (
	"context"
	"iter"

	"google.golang.org/protobuf/proto"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// Asked is a query type of any kind of rows.
type Asked interface {
	Parameter() *lookoutv1.QueryParameter
}

// Parameters asks for several types in one query.
func Parameters(types ...Asked) []*lookoutv1.QueryParameter {
	parameters := make([]*lookoutv1.QueryParameter, len(types))
	for index, each := range types {
		parameters[index] = each.Parameter()
	}
	return parameters
}

// Ask makes a query of this type alone, and returns its rows: one page, of as many rows as the query's limit says. The query's own
// parameters are replaced. The error is a *lookout.Error. AskRequest has a time zone, and what is to know about the rows.
func (t Type[Row]) Ask(
	ctx context.Context, client *lookout.Client, websiteID string, query *lookoutv1.Query, options ...lookout.CallOption,
) ([]Row, error) {
	answered, err := t.AskRequest(ctx, client, &lookoutv1.QueryRequest{WebsiteId: websiteID, Query: query}, options...)
	return answered.Rows, err
}

// AskRequest is Ask for a whole request, with its time zone, or several websites, and returns what is to know about the rows too.
func (t Type[Row]) AskRequest(
	ctx context.Context, client *lookout.Client, request *lookoutv1.QueryRequest, options ...lookout.CallOption,
) (Answered[Row], error) {
	asked := proto.Clone(request).(*lookoutv1.QueryRequest)
	asked.Query = t.alone(request.GetQuery())
	answer, err := client.Queries.Query(ctx, asked, options...)
	if err != nil {
		return Answered[Row]{}, err
	}
	return t.Answered(answer.Single)
}

// Watch makes a query of this type alone, and returns its rows now, and again when new events have changed them. The error is a
// *lookout.Error, and ends the loop.
func (t Type[Row]) Watch(
	ctx context.Context, client *lookout.Client, websiteID string, query *lookoutv1.Query, options ...lookout.CallOption,
) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		request := &lookoutv1.WatchRequest{WebsiteId: websiteID, Query: query}
		for answered, err := range t.WatchRequest(ctx, client, request, options...) {
			if !yield(answered.Rows, err) {
				return
			}
		}
	}
}

// WatchRequest is Watch for a whole request, and returns what is to know about the rows too.
func (t Type[Row]) WatchRequest(
	ctx context.Context, client *lookout.Client, request *lookoutv1.WatchRequest, options ...lookout.CallOption,
) iter.Seq2[Answered[Row], error] {
	return func(yield func(Answered[Row], error) bool) {
		asked := proto.Clone(request).(*lookoutv1.WatchRequest)
		asked.Query = t.alone(request.GetQuery())
		for message, err := range client.Queries.Watch(ctx, asked, options...) {
			if err != nil {
				yield(Answered[Row]{}, err)
				return
			}
			answered, err := t.Answered(message.Answer)
			if !yield(answered, err) || err != nil {
				return
			}
		}
	}
}

// alone is a query of this type alone. The caller's stays as it is.
func (t Type[Row]) alone(query *lookoutv1.Query) *lookoutv1.Query {
	asked := &lookoutv1.Query{}
	if query != nil {
		asked = proto.Clone(query).(*lookoutv1.Query)
	}
	asked.Parameters = Parameters(t)
	return asked
}
