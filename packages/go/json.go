package lookout

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"
)

// Properties are those of an event, or other JSON: what encoding/json writes of each value. A value that has no JSON, such as NaN or a function,
// becomes the text that fmt prints of it: Track and EventQueue refuse it instead.
func Properties(values map[string]any) *structpb.Struct {
	fields := make(map[string]*structpb.Value, len(values))
	for name, value := range values {
		fields[name] = valueOf(value)
	}
	return &structpb.Struct{Fields: fields}
}

// hasJSON fails for a value that encoding/json does not write.
func hasJSON(value any) error {
	_, err := json.Marshal(value)
	return err
}

func valueOf(value any) *structpb.Value {
	made := &structpb.Value{}
	written, err := json.Marshal(value)
	if err == nil && made.UnmarshalJSON(written) == nil {
		return made
	}
	return structpb.NewStringValue(fmt.Sprint(value))
}
