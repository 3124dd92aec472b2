package lookout

import (
	"errors"
	"strings"
	"unicode/utf8"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
)

const notUTF8 = "is not UTF-8"

// unsent is the error of a request that could not be written, so that no part of it has arrived, or nil for other errors. Another try
// fails in the same way.
func unsent(err error, message any) *Error {
	var failure *connect.Error
	// Connect has no other sign of it.
	if !errors.As(err, &failure) || connect.IsWireError(err) || !strings.HasPrefix(failure.Message(), "marshal message: ") {
		return nil
	}
	if asked, ok := message.(proto.Message); ok {
		if details := wrongTexts(asked); details != nil {
			return wrongFields(details, err)
		}
	}
	return &Error{Code: CodeValidation, Message: "the request cannot be written: " + failure.Message(), cause: err}
}

// wrongTexts names the texts of a message that are not UTF-8. Protobuf writes no message with such a text, and does not say which it is.
func wrongTexts(message proto.Message) []Detail {
	var details []Detail
	_ = protorange.Range(message.ProtoReflect(), func(at protopath.Values) error {
		step, value := at.Path.Index(-1), at.Index(-1).Value
		text, isText := value.Interface().(string)
		isWrong := isText && !utf8.ValidString(text)
		if step.Kind() == protopath.MapIndexStep {
			key, isText := step.MapIndex().Interface().(string)
			isWrong = isWrong || isText && !utf8.ValidString(key)
		}
		if isWrong {
			details = append(details, Detail{Field: strings.TrimPrefix(at.Path[1:].String(), "."), Message: notUTF8})
		}
		return nil
	})
	return details
}

// wrongFields is the error of a request that cannot be sent, whose message names all fields that are wrong.
func wrongFields(details []Detail, cause error) *Error {
	texts := make([]string, len(details))
	for index, detail := range details {
		texts[index] = detail.Field + " " + detail.Message
	}
	return &Error{Code: CodeValidation, Message: strings.Join(texts, "; "), Details: details, cause: cause}
}
