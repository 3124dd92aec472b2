// Package querytype has every query type with the type of its rows. [Type.Ask] makes a query of one type:
//
//	pages, err := querytype.TopPages.Ask(ctx, client, website, &lookoutv1.Query{Preset: values.DatePresetLast7d})
//
// A query of several types has their [Parameters], and [Type.Rows] finds the rows of each in its answer:
//
//	pages, err := querytype.TopPages.Rows(answer.Single)
package querytype

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// Type is a query type whose rows are of the type Row.
type Type[Row any] struct {
	name string
	id   string
	read func(fields) Row
	// set are the members of the parameter that this type has beside its name.
	set []func(*lookoutv1.QueryParameter)
}

func newType[Row any](name string, read func(fields) Row) Type[Row] {
	return Type[Row]{name: name, read: read}
}

// Named is the same type under an id of its own, for a query that asks it more than once.
func (t Type[Row]) Named(id string) Type[Row] {
	t.id = id
	return t
}

// Parameter asks for the type in a query. Its other members may be set.
func (t Type[Row]) Parameter() *lookoutv1.QueryParameter {
	parameter := &lookoutv1.QueryParameter{Name: t.name}
	if t.id != "" {
		parameter.Id = &t.id
	}
	for _, set := range t.set {
		set(parameter)
	}
	return parameter
}

// WithLimit is the same type with at most so many rows, whatever the query's limit is.
func (t Type[Row]) WithLimit(limit uint32) Type[Row] {
	return t.with(func(parameter *lookoutv1.QueryParameter) { parameter.Limit = &limit })
}

// WithGranularity is the same type with buckets of another size than the query's, such as values.GranularityHourly.
func (t Type[Row]) WithGranularity(granularity string) Type[Row] {
	return t.with(func(parameter *lookoutv1.QueryParameter) { parameter.Granularity = &granularity })
}

// WithSplitBy is GoalConversions split by a field of visits, such as "utm_campaign".
func (t Type[Row]) WithSplitBy(field string) Type[Row] {
	return t.with(func(parameter *lookoutv1.QueryParameter) { parameter.SplitBy = &field })
}

// WithAttribution is a split by a source that asks which source a visit has, such as values.AttributionLastNonDirect.
func (t Type[Row]) WithAttribution(attribution string) Type[Row] {
	return t.with(func(parameter *lookoutv1.QueryParameter) { parameter.Attribution = &attribution })
}

func (t Type[Row]) with(set func(*lookoutv1.QueryParameter)) Type[Row] {
	t.set = append(slices.Clone(t.set), set)
	return t
}

// Answer is the answer to a query: a *lookoutv1.QueryAnswer, or a *lookoutv1.QueryResult of a batch.
type Answer interface {
	GetData() []*lookoutv1.ParameterResult
	GetMeta() *lookoutv1.QueryMeta
}

// Rows are the rows of the type in an answer. The error is a *lookout.Error: with CodeQuery if the service could not answer this
// parameter, and the wrong field of the query in its details where one is known; with CodeNotAsked if the query did not have it.
func (t Type[Row]) Rows(answer Answer) ([]Row, error) {
	result, err := t.result(answer)
	if err != nil {
		return nil, err
	}
	return t.readAll(result.GetData()), nil
}

func (t Type[Row]) readAll(data []*structpb.Struct) []Row {
	rows := make([]Row, len(data))
	for index, row := range data {
		rows[index] = t.read(row.GetFields())
	}
	return rows
}

// result is what the answer has for this type.
func (t Type[Row]) result(answer Answer) (*lookoutv1.ParameterResult, error) {
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
				Code: lookout.CodeQuery, Message: parameter + ": " + result.GetError(), Details: detailsOf(result), RequestID: requestIDOf(answer),
			}
		}
		return result, nil
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

// requestIDOf is empty for a result of a batch, whose answer has it.
func requestIDOf(answer Answer) string {
	if single, ok := answer.(*lookoutv1.QueryAnswer); ok {
		return single.GetRequestId()
	}
	return ""
}
