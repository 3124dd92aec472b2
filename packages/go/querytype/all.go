package querytype

import (
	"context"
	"iter"

	"google.golang.org/protobuf/proto"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// pageSize is the limit of a query that names none.
const pageSize = 1_000

// All goes through the rows of the type in all pages of a query, and asks for each page when it is needed. The query's own parameters are
// replaced by this type; its limit is the size of a page. It ends with an error's *lookout.Error.
func (t Type[Row]) All(
	ctx context.Context, client *lookout.Client, request *lookoutv1.QueryRequest, options ...lookout.CallOption,
) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		asked := proto.Clone(request).(*lookoutv1.QueryRequest)
		if asked.Query == nil {
			asked.Query = &lookoutv1.Query{}
		}
		// A summary has one row on every page, so a limit of 1 would never end.
		limit, number := max(2, asked.Query.GetLimit()), max(1, asked.Query.GetPage())
		if asked.Query.Limit == nil {
			limit = pageSize
		}
		asked.Query.Parameters = []*lookoutv1.QueryParameter{t.Parameter()}
		for ; ; number++ {
			asked.Query.Limit, asked.Query.Page = &limit, &number
			rows, err := t.page(ctx, client, asked, options)
			if err != nil {
				var none Row
				yield(none, err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
			if len(rows) != int(limit) {
				return
			}
		}
	}
}

func (t Type[Row]) page(
	ctx context.Context, client *lookout.Client, request *lookoutv1.QueryRequest, options []lookout.CallOption,
) ([]Row, error) {
	answer, err := client.Queries.Query(ctx, request, options...)
	if err != nil {
		return nil, err
	}
	return t.Rows(answer.Single)
}
