// Package querytype has every query type with the type of its rows. A query asks [Type.Parameter], and [Type.Rows] finds the rows in its
// answer:
//
//	querytype.TopPages.Parameter()
//	pages, err := querytype.TopPages.Rows(answer.Msg.Single)
package querytype

import (
	"fmt"

	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// Type is a query type whose rows are of the type Row.
type Type[Row any] struct {
	name string
	id   string
	read func(fields) Row
}

func newType[Row any](name string, read func(fields) Row) Type[Row] {
	return Type[Row]{name: name, read: read}
}

// Named is the same type under an id of its own, for a query that asks it more than once.
func (t Type[Row]) Named(id string) Type[Row] {
	t.id = id
	return t
}

// Parameter asks for the type in a query. Its other members, such as Granularity, may be set.
func (t Type[Row]) Parameter() *lookoutv1.QueryParameter {
	parameter := &lookoutv1.QueryParameter{Name: t.name}
	if t.id != "" {
		parameter.Id = &t.id
	}
	return parameter
}

// Answer is the answer to a query: a *lookoutv1.QueryAnswer, or a *lookoutv1.QueryResult of a batch.
type Answer interface {
	GetData() []*lookoutv1.ParameterResult
}

// Rows are the rows of the type in an answer. The error is a *lookout.Error: with CodeQuery if the service could not answer this
// parameter, and the wrong field of the query in its details where one is known; with CodeNotAsked if the query did not have it.
func (t Type[Row]) Rows(answer Answer) ([]Row, error) {
	parameter := t.id
	if parameter == "" {
		parameter = t.name
	}
	for _, result := range answer.GetData() {
		if result.Parameter != parameter {
			continue
		}
		if !result.Success {
			return nil, &lookout.Error{
				Code: lookout.CodeQuery, Message: parameter + ": " + result.GetError(), Details: detailsOf(result),
			}
		}
		rows := make([]Row, len(result.Data))
		for index, row := range result.Data {
			rows[index] = t.read(row.GetFields())
		}
		return rows, nil
	}
	message := fmt.Sprintf("the answer has no %s. Add its Parameter() to the query's parameters", parameter)
	return nil, &lookout.Error{Code: lookout.CodeNotAsked, Message: message}
}

// detailsOf are the field of the query that is wrong for a parameter, and the nearest one, where the service says so.
func detailsOf(result *lookoutv1.ParameterResult) []lookout.Detail {
	detail := result.GetDetail()
	if detail == nil {
		return nil
	}
	return []lookout.Detail{{Field: detail.Field, Message: detail.Message, Suggestion: detail.GetSuggestion()}}
}
