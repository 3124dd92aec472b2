package lookout

import lookoutv1 "lookout.dev/client/lookout/v1"

// Filter is a filter of a query: Filter("path", "starts_with", "/shop"). Package values has the operators. "in" and "not_in" take several values,
// "is_empty" and "is_not_empty" none.
func Filter(field, op string, values ...any) *lookoutv1.QueryFilter {
	filter := &lookoutv1.QueryFilter{Field: field, Op: op}
	switch {
	case op == "in" || op == "not_in" || len(values) > 1:
		filter.Value = valueOf(values)
		// A slice is the list itself.
		if len(values) == 1 && valueOf(values[0]).GetListValue() != nil {
			filter.Value = valueOf(values[0])
		}
	case len(values) == 1:
		filter.Value = valueOf(values[0])
	}
	return filter
}

// Goal is the goal of a query that an event of this name reaches. Its Filters and Value may be set.
func Goal(event string) *lookoutv1.QueryGoal {
	return &lookoutv1.QueryGoal{Action: &lookoutv1.QueryGoal_Event{Event: event}}
}

// PageGoal is the goal of a query that the view of a page reaches.
func PageGoal(path string) *lookoutv1.QueryGoal {
	return &lookoutv1.QueryGoal{Action: &lookoutv1.QueryGoal_Page{Page: &lookoutv1.QueryGoalPage{Path: path}}}
}
