package lookout

import (
	"errors"
	"fmt"
	"io"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
)

// Codes of errors without an answer of the service. All other codes are those of the API, such as NOT_FOUND.
const (
	// CodeUnreachable means that nothing answers at the address.
	CodeUnreachable = "UNREACHABLE"
	// CodeTimeout means that no complete answer came in time.
	CodeTimeout = "TIMEOUT"
	// CodeBadAnswer means that the answer broke off, or that something else than Lookout answers.
	CodeBadAnswer = "BAD_ANSWER"
	// CodeCancelled means that the context of the call was cancelled.
	CodeCancelled = "CANCELLED"
	// CodeNotAsked means that an answer was searched for a query type that the query did not ask.
	CodeNotAsked = "NOT_ASKED"
)

// CodeQuery is the API's code where a query, or one parameter of it, could not be answered.
const CodeQuery = "QUERY_ERROR"

// Detail says what is wrong with one field of a request.
type Detail struct {
	// Field is its path, such as "parameters[0]".
	Field   string
	Message string
}

// Error is the error of every call. Its message says what to do.
type Error struct {
	Code    string
	Message string
	Details []Detail
	// RequestID names the request in the service's log. It is empty where the service did not answer.
	RequestID string
	cause     error
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Unwrap returns the *connect.Error.
func (e *Error) Unwrap() error { return e.cause }

// newError turns an error of connect into an *Error. The end of a stream stays as it is.
func newError(baseURL string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	failure := &Error{cause: err}
	var answer *connect.Error
	if !errors.As(err, &answer) {
		answer = connect.NewError(connect.CodeUnknown, err)
	}
	for _, detail := range answer.Details() {
		value, valueErr := detail.Value()
		if valueErr != nil {
			continue
		}
		switch fact := value.(type) {
		case *errdetails.ErrorInfo:
			failure.Code = fact.Reason
		case *errdetails.RequestInfo:
			failure.RequestID = fact.RequestId
		case *errdetails.BadRequest:
			for _, violation := range fact.FieldViolations {
				failure.Details = append(failure.Details, Detail{violation.Field, violation.Description})
			}
		}
	}
	if failure.Code != "" {
		failure.Message = answer.Message()
		if failure.Code == "INVALID_API_KEY" {
			failure.Message += ". Check the APIKey of lookout.New"
		}
		return failure
	}
	switch answer.Code() {
	case connect.CodeDeadlineExceeded:
		failure.Code = CodeTimeout
		failure.Message = fmt.Sprintf("%s gave no complete answer in time. Try again, or allow more", baseURL)
	case connect.CodeCanceled:
		failure.Code = CodeCancelled
		failure.Message = "the call was cancelled"
	case connect.CodeUnavailable:
		failure.Code = CodeUnreachable
		failure.Message = fmt.Sprintf("nothing answers at %s (%s). Check the address, and whether Lookout runs", baseURL, answer.Message())
	default:
		failure.Code = CodeBadAnswer
		failure.Message = fmt.Sprintf("the answer of %s broke off or is not one of Lookout (%s). Check the address and the proxies on the way", baseURL, answer.Message())
	}
	return failure
}
