package lookout

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"
)

// Properties are those of an event, or other JSON: what encoding/json writes of each value. A value that has no JSON becomes the text that
// fmt prints of it.
func Properties(values map[string]any) *structpb.Struct {
	fields := make(map[string]*structpb.Value, len(values))
	for name, value := range values {
		fields[name] = valueOf(value)
	}
	return &structpb.Struct{Fields: fields}
}

func valueOf(value any) *structpb.Value {
	made := &structpb.Value{}
	written, err := json.Marshal(value)
	if err == nil && made.UnmarshalJSON(written) == nil {
		return made
	}
	return structpb.NewStringValue(fmt.Sprint(value))
}
