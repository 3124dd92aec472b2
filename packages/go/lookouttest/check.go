package lookouttest

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// checkRequest is what is wrong with a request by the contract: as the service does, it names every field.
func checkRequest(request proto.Message) error {
	details := append(missing(request.ProtoReflect(), required), wrongValues(request)...)
	if details == nil {
		return nil
	}
	return &lookout.Error{Code: lookout.CodeValidation, Message: textOf(details), Details: details}
}

// wrongAnswer says what of an answer Lookout would not send. It is empty if nothing is wrong.
func wrongAnswer[A any](answer *A) string {
	if answer == nil {
		return "it is nil"
	}
	message := any(answer).(proto.Message)
	return textOf(append(missing(message.ProtoReflect(), answered), wrongValues(message)...))
}

func textOf(details []lookout.Detail) string {
	texts := make([]string, len(details))
	for index, detail := range details {
		texts[index] = detail.Field + " " + detail.Message
	}
	return strings.Join(texts, "; ")
}

// missing are the fields that a request or an answer is none without.
func missing(message protoreflect.Message, needed map[protoreflect.FullName]bool) []lookout.Detail {
	var details []lookout.Detail
	fields := message.Descriptor().Fields()
	for index := range fields.Len() {
		if field := fields.Get(index); needed[field.FullName()] && !message.Has(field) {
			details = append(details, lookout.Detail{Field: string(field.Name()), Message: "is missing"})
		}
	}
	return details
}

// wrongValues are the texts of a message that are not in the list of their field.
func wrongValues(message proto.Message) []lookout.Detail {
	var details []lookout.Detail
	_ = protorange.Range(message.ProtoReflect(), func(at protopath.Values) error {
		text, isText := at.Index(-1).Value.Interface().(string)
		field := fieldOf(at.Path)
		if !isText || field == nil {
			return nil
		}
		path := strings.TrimPrefix(at.Path[1:].String(), ".")
		if values, isRestricted := allowed[field.FullName()]; isRestricted && !slices.Contains(values, text) {
			problem := fmt.Sprintf("must be one of %s, not %q", strings.Join(values, ", "), text)
			details = append(details, lookout.Detail{Field: path, Message: problem, Suggestion: nearest(text, values)})
		}
		if field.FullName() == parameterName && !slices.Contains(queryTypes, text) {
			problem := fmt.Sprintf("names no query type: %q", text)
			details = append(details, lookout.Detail{Field: path, Message: problem, Suggestion: nearest(text, queryTypes)})
		}
		return nil
	})
	return details
}

// fieldOf is the field whose value, or one of whose values, is at the end of a path.
func fieldOf(path protopath.Path) protoreflect.FieldDescriptor {
	step := path.Index(-1)
	if step.Kind() == protopath.ListIndexStep {
		step = path.Index(-2)
	}
	if step.Kind() != protopath.FieldAccessStep {
		return nil
	}
	return step.FieldDescriptor()
}

var parameterName = (&lookoutv1.QueryParameter{}).ProtoReflect().Descriptor().Fields().ByName("name").FullName()
