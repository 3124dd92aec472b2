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
// parameters are replaced. The error is a *lookout.Error.
func (t Type[Row]) Ask(ctx context.Context, client *lookout.Client, websiteID string, query *lookoutv1.Query) ([]Row, error) {
	answer, err := client.Queries.Ask(ctx, &lookoutv1.QueryRequest{WebsiteId: websiteID, Query: t.alone(query)})
	if err != nil {
		return nil, err
	}
	return t.Rows(answer.Single)
}

// Watch makes a query of this type alone, and returns its rows now, and again when new events have changed them. The error is a
// *lookout.Error, and ends the loop.
func (t Type[Row]) Watch(ctx context.Context, client *lookout.Client, websiteID string, query *lookoutv1.Query) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		asked := &lookoutv1.WatchRequest{WebsiteId: websiteID, Query: t.alone(query)}
		for message, err := range client.Queries.Follow(ctx, asked) {
			if err != nil {
				yield(nil, err)
				return
			}
			rows, err := t.Rows(message.Answer)
			if !yield(rows, err) || err != nil {
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
