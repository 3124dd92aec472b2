package querytype

import lookoutv1 "lookout.dev/client/lookout/v1"

// Answered are the rows of one type, and what is to know about them.
type Answered[Row any] struct {
	// Rows are one page, of as many as the limit says.
	Rows []Row
	// Meta has Hints, such as what a name that no event has was probably meant to be, and the times that are Unknown.
	Meta *lookoutv1.QueryMeta
	// Compared is the other period of a query with Compare, and nil without.
	Compared *Compared[Row]
}

// Compared is the same question about another period.
type Compared[Row any] struct {
	// Rows has the row for each of the answer's at the same place.
	Rows []Row
	// Period has its bounds, and whether totals may be compared (Complete).
	Period *lookoutv1.ComparedRows
}

// Answered are the rows of the type in an answer, with what is to know about them. The error is that of Rows.
func (t Type[Row]) Answered(answer Answer) (Answered[Row], error) {
	result, err := t.result(answer)
	if err != nil {
		return Answered[Row]{}, err
	}
	answered := Answered[Row]{Rows: t.readAll(result.GetData()), Meta: answer.GetMeta()}
	if other := result.GetComparison(); other != nil {
		answered.Compared = &Compared[Row]{Rows: t.readAll(other.GetData()), Period: other}
	}
	return answered, nil
}
