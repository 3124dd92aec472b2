package lookout

import "time"

// Timestamp is a time as requests have it: ISO 8601 in UTC. Messages of answers have methods that read theirs: link.CreatedAtTime().
func Timestamp(moment time.Time) string { return moment.UTC().Format(time.RFC3339Nano) }

// Day is the day of a time in the time's own zone, such as 2026-11-28, for the first and the last day of a query or an export.
func Day(moment time.Time) string { return moment.Format(time.DateOnly) }
