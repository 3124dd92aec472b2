package lookout

import (
	"context"
	"iter"

	"google.golang.org/protobuf/proto"
)

// all goes through the pages of a list. The caller's request stays as it is.
func all[Request, Answer, Item any](
	ctx context.Context,
	request *Request,
	list func(context.Context, *Request, ...CallOption) (*Answer, error),
	options []CallOption,
	items func(*Answer) []Item,
	nextCursor func(*Answer) string,
	setCursor func(*Request, string),
) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		page := new(Request)
		if request != nil {
			page = proto.Clone(any(request).(proto.Message)).(any).(*Request)
		}
		for {
			answer, err := list(ctx, page, options...)
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for _, item := range items(answer) {
				if !yield(item, nil) {
					return
				}
			}
			cursor := nextCursor(answer)
			if cursor == "" {
				return
			}
			setCursor(page, cursor)
		}
	}
}
