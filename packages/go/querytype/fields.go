package querytype

import (
	"time"

	"google.golang.org/protobuf/types/known/structpb"
)

// fields are the values of a row by name. A field that an older service does not send is empty.
type fields map[string]*structpb.Value

func (f fields) text(name string) string { return f[name].GetStringValue() }

// Doubles hold whole numbers to 2^53 exactly.
func (f fields) count(name string) int64 { return int64(f[name].GetNumberValue()) }

func (f fields) number(name string) float64 { return f[name].GetNumberValue() }

func (f fields) boolean(name string) bool { return f[name].GetBoolValue() }

func (f fields) object(name string) map[string]any {
	if value := f[name].GetStructValue(); value != nil {
		return value.AsMap()
	}
	return nil
}

func (f fields) array(name string) []any {
	if value := f[name].GetListValue(); value != nil {
		return value.AsSlice()
	}
	return nil
}

// Amount is what is worth something, in one currency.
type Amount struct {
	// Currency is the text that the events have, such as "EUR".
	Currency string `json:"currency"`
	// Amount is the sum of what the events have.
	Amount float64 `json:"amount"`
	// Completions are the events that the amount is the sum of.
	Completions int64 `json:"completions"`
}

func (f fields) amounts(name string) []Amount {
	var amounts []Amount
	for _, value := range f[name].GetListValue().GetValues() {
		of := fields(value.GetStructValue().GetFields())
		amounts = append(amounts, Amount{Currency: of.text("currency"), Amount: of.number("amount"), Completions: of.count("completions")})
	}
	return amounts
}

func (f fields) textOrNil(name string) *string {
	if value, ok := f[name].GetKind().(*structpb.Value_StringValue); ok {
		return &value.StringValue
	}
	return nil
}

func (f fields) countOrNil(name string) *int64 {
	if value, ok := f[name].GetKind().(*structpb.Value_NumberValue); ok {
		count := int64(value.NumberValue)
		return &count
	}
	return nil
}

func (f fields) numberOrNil(name string) *float64 {
	if value, ok := f[name].GetKind().(*structpb.Value_NumberValue); ok {
		return &value.NumberValue
	}
	return nil
}

func (f fields) booleanOrNil(name string) *bool {
	if value, ok := f[name].GetKind().(*structpb.Value_BoolValue); ok {
		return &value.BoolValue
	}
	return nil
}

// timeOrNil reads a time, which is text on the wire: ISO 8601 in UTC.
func (f fields) timeOrNil(name string) *time.Time {
	moment, err := time.Parse(time.RFC3339Nano, f.text(name))
	if err != nil {
		return nil
	}
	return &moment
}
