package lookouttest

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
	"lookout.dev/client/querytype"
)

// usualLimit is how many rows a query gets that names no limit.
const usualLimit = 100

// rows are those of a query type, all pages of them.
type rows []*structpb.Struct

// Rows answers queries of a type, such as querytype.TopPages, of client.Queries.Query and Watch and of package querytype. The limit and the page
// of a query choose among the rows, its filters and its range do not. A type that is Named is another one.
func Rows[Row any](of querytype.Type[Row], given ...Row) Setting {
	return func(s *Service) error {
		name := keyOf(of.Parameter())
		made := make(rows, len(given))
		for index, row := range given {
			written, err := json.Marshal(row)
			made[index] = &structpb.Struct{}
			if err == nil {
				err = made[index].UnmarshalJSON(written)
			}
			if err != nil {
				return fmt.Errorf("row %d of %s has no JSON: %w", index, name, err)
			}
		}
		if _, isTwice := s.rows[name]; isTwice {
			return fmt.Errorf("%s has rows twice", name)
		}
		s.rows[name] = made
		return nil
	}
}

func (s *Service) query(request *lookoutv1.QueryRequest) (*lookoutv1.QueryResponse, error) {
	if len(request.GetQueries()) == 0 {
		data, meta, err := s.results(request.GetQuery(), "query")
		return &lookoutv1.QueryResponse{Single: answerOf(request.GetQuery(), data, meta)}, err
	}
	batch := &lookoutv1.QueryBatchAnswer{Success: true, RequestId: requestID, Batch: true}
	for index, query := range request.GetQueries() {
		data, meta, err := s.results(query, fmt.Sprintf("queries[%d]", index))
		if err != nil {
			return nil, err
		}
		batch.Results = append(batch.Results, &lookoutv1.QueryResult{QueryId: query.GetId(), Data: data, Meta: meta})
	}
	return &lookoutv1.QueryResponse{Batch: batch}, nil
}

// results are the rows of each parameter of a query. The error names the path of the query.
func (s *Service) results(query *lookoutv1.Query, path string) ([]*lookoutv1.ParameterResult, *lookoutv1.QueryMeta, error) {
	limit, page := query.GetLimit(), max(1, query.GetPage())
	if limit == 0 {
		limit = usualLimit
	}
	var results []*lookoutv1.ParameterResult
	for index, parameter := range query.GetParameters() {
		all, isKnown := s.rows[keyOf(parameter)]
		if !isKnown {
			message := fmt.Sprintf("the test has no rows for %s.parameters[%d]: pass lookouttest.Rows of the query type %s to lookouttest.New",
				path, index, keyOf(parameter))
			return nil, nil, &lookout.Error{Code: lookout.CodeNotImplemented, Message: message}
		}
		size := limit
		if parameter.Limit != nil {
			size = parameter.GetLimit()
		}
		first := min(len(all), int(page-1)*int(size))
		last := min(len(all), first+int(size))
		results = append(results, &lookoutv1.ParameterResult{Parameter: shownAs(parameter), Success: true, Data: all[first:last]})
	}
	return results, &lookoutv1.QueryMeta{TotalParameters: uint32(len(results)), Page: page, Limit: limit, Consistent: true}, nil
}

func answerOf(query *lookoutv1.Query, data []*lookoutv1.ParameterResult, meta *lookoutv1.QueryMeta) *lookoutv1.QueryAnswer {
	return &lookoutv1.QueryAnswer{Success: true, RequestId: requestID, QueryId: query.GetId(), Data: data, Meta: meta}
}

// keyOf is a query type, and its id if it has one.
func keyOf(parameter *lookoutv1.QueryParameter) string {
	if parameter.GetId() == "" {
		return parameter.GetName()
	}
	return fmt.Sprintf("%s named %q", parameter.GetName(), parameter.GetId())
}

// shownAs is what an answer calls a parameter.
func shownAs(parameter *lookoutv1.QueryParameter) string {
	if parameter.GetId() != "" {
		return parameter.GetId()
	}
	return parameter.GetName()
}
