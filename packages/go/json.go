package lookout

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/structpb"
)

// Properties are those of an event, or other JSON: what encoding/json writes of each value. Numbers are doubles, so whole numbers beyond 2^53 are
// rounded. A value that has no JSON, such as NaN or a function, becomes the text that fmt prints of it: Track and EventQueue refuse it instead.
func Properties(values map[string]any) *structpb.Struct {
	fields := make(map[string]*structpb.Value, len(values))
	for name, value := range values {
		fields[name] = valueOf(value)
	}
	return &structpb.Struct{Fields: fields}
}

func valueOf(value any) *structpb.Value {
	made, err := jsonOf(value)
	if err != nil {
		return structpb.NewStringValue(fmt.Sprint(value))
	}
	return made
}

// jsonOf fails for a value that encoding/json does not write, and for JSON that a message cannot hold, such as 1e400.
func jsonOf(value any) (*structpb.Value, error) {
	written, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	made := &structpb.Value{}
	return made, made.UnmarshalJSON(written)
}

// propertiesOf are Properties, and each of them that has no JSON, named after the path that they have.
func propertiesOf(path string, values map[string]any) (*structpb.Struct, []Detail) {
	fields := make(map[string]*structpb.Value, len(values))
	var details []Detail
	for _, name := range slices.Sorted(maps.Keys(values)) {
		at := path + "." + strings.ToValidUTF8(name, "\uFFFD")
		if !utf8.ValidString(name) {
			details = append(details, Detail{Field: at, Message: "has a name that " + notUTF8})
			continue
		}
		made, err := jsonOf(values[name])
		if err != nil {
			details = append(details, withoutJSON(at, values[name], err))
			continue
		}
		fields[name] = made
	}
	return &structpb.Struct{Fields: fields}, details
}

// withoutJSON names what has no JSON in a value: the value, or what is wrong in a map or a list.
func withoutJSON(path string, value any, err error) Detail {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if _, err := jsonOf(value[name]); err != nil {
				return withoutJSON(path+"."+strings.ToValidUTF8(name, "\uFFFD"), value[name], err)
			}
		}
	case []any:
		for index, each := range value {
			if _, err := jsonOf(each); err != nil {
				return withoutJSON(fmt.Sprintf("%s[%d]", path, index), each, err)
			}
		}
	}
	return Detail{Field: path, Message: "has no JSON: " + err.Error()}
}
