package lookouttest

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/durationpb"
	lookout "lookout.dev/client"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// requestID names every request of a test.
const requestID = "req_test"

// wireCodes are those of Connect. Clients read the code of Lookout from the details.
var wireCodes = map[string]connect.Code{
	lookout.CodeNotFound: connect.CodeNotFound, lookout.CodeValidation: connect.CodeInvalidArgument,
	lookout.CodeAuthRequired: connect.CodeUnauthenticated, lookout.CodeInvalidAPIKey: connect.CodeUnauthenticated,
	lookout.CodeAccessDenied: connect.CodePermissionDenied, lookout.CodeForbidden: connect.CodePermissionDenied,
	lookout.CodeRateLimit: connect.CodeResourceExhausted, lookout.CodeUnavailable: connect.CodeUnavailable,
	lookout.CodeNotImplemented: connect.CodeUnimplemented, lookout.CodeConflict: connect.CodeAlreadyExists,
	lookout.CodeInternal: connect.CodeInternal,
}

// sent is an error in the form in which the service sends it. One that is no *lookout.Error is a mistake of the test.
func sent(err error) *connect.Error {
	var failure *lookout.Error
	if !errors.As(err, &failure) {
		failure = &lookout.Error{Code: lookout.CodeInternal, Message: err.Error()}
	}
	code, isKnown := wireCodes[failure.Code]
	if !isKnown {
		code = connect.CodeUnknown
	}
	made := connect.NewError(code, errors.New(failure.Message))
	id := failure.RequestID
	if id == "" {
		id = requestID
	}
	fields := &errdetails.BadRequest{}
	facts := []proto.Message{&errdetails.ErrorInfo{Reason: failure.Code, Domain: "lookout"}, &errdetails.RequestInfo{RequestId: id}, fields}
	for _, detail := range failure.Details {
		violation := &errdetails.BadRequest_FieldViolation{Field: detail.Field, Description: detail.Message}
		fields.FieldViolations = append(fields.FieldViolations, violation)
		if detail.Suggestion != "" {
			facts = append(facts, &lookoutv1.FieldSuggestion{Field: detail.Field, Suggestion: detail.Suggestion})
		}
	}
	if failure.RetryAfter > 0 {
		facts = append(facts, &errdetails.RetryInfo{RetryDelay: durationpb.New(failure.RetryAfter)})
	}
	for _, fact := range facts {
		if detail, err := connect.NewErrorDetail(fact); err == nil {
			made.AddDetail(detail)
		}
	}
	return made
}

// writeMissing answers a call for which the test has no answer.
func writeMissing(response http.ResponseWriter, request *http.Request) {
	_, _ = io.Copy(io.Discard, request.Body)
	call := path.Base(request.URL.Path)
	message := fmt.Sprintf("the test has no answer for %s: pass lookouttest.Answer of it to lookouttest.New", call)
	service := path.Base(path.Dir(request.URL.Path))
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service + "." + call))
	if method, isMethod := found.(protoreflect.MethodDescriptor); err != nil || !isMethod {
		message = fmt.Sprintf("Lookout has no call %s", request.URL.Path)
	} else if method.IsStreamingServer() {
		message = fmt.Sprintf("the test has no answer for %s: pass lookouttest.Stream of it to lookouttest.New", call)
	}
	_ = connect.NewErrorWriter().Write(response, request, sent(&lookout.Error{Code: lookout.CodeNotImplemented, Message: message}))
}
