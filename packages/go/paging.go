package lookout

import (
	"context"
	"iter"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
)

// all goes through the pages of a list. The caller's request stays as it is.
func all[Request, Answer, Item any](
	ctx context.Context,
	request *Request,
	list func(context.Context, *connect.Request[Request]) (*connect.Response[Answer], error),
	items func(*Answer) []Item,
	nextCursor func(*Answer) string,
	setCursor func(*Request, string),
) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		page := proto.Clone(any(request).(proto.Message)).(any).(*Request)
		for {
			answer, err := list(ctx, connect.NewRequest(page))
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for _, item := range items(answer.Msg) {
				if !yield(item, nil) {
					return
				}
			}
			cursor := nextCursor(answer.Msg)
			if cursor == "" {
				return
			}
			setCursor(page, cursor)
		}
	}
}
