package lookout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	lookoutv1 "lookout.dev/client/lookout/v1"
)

// Codes of errors without an answer of the service. All other codes are those of the API, such as NOT_FOUND.
const (
	// CodeUnreachable means that nothing answers at the address.
	CodeUnreachable = "UNREACHABLE"
	// CodeTimeout means that no complete answer came in time.
	CodeTimeout = "TIMEOUT"
	// CodeBadAnswer means that the answer broke off, so that the call may have been carried out, or that something else than Lookout answers.
	CodeBadAnswer = "BAD_ANSWER"
	// CodeCancelled means that the context of the call was cancelled.
	CodeCancelled = "CANCELLED"
	// CodeQueueFull means that an EventQueue is full or closed.
	CodeQueueFull = "QUEUE_FULL"
	// CodeNotAsked means that an answer was searched for a query type that the query did not ask.
	CodeNotAsked = "NOT_ASKED"
)

// Codes of the API. docs/user/errors.md describes them.
const (
	// CodeNotFound means that the object does not exist, or that the key may not see it.
	CodeNotFound = "NOT_FOUND"
	// CodeValidation means that fields are wrong: Details names them.
	CodeValidation = "VALIDATION_ERROR"
	// CodeQuery means that a query, or one parameter of it, could not be answered.
	CodeQuery = "QUERY_ERROR"
	// CodeRateLimit means that there were too many calls. RetryAfter says when the next one may succeed.
	CodeRateLimit = "RATE_LIMIT_EXCEEDED"
	// CodeUnavailable means that the service, or the proxy before it, cannot answer now.
	CodeUnavailable = "SERVICE_UNAVAILABLE"
	// CodeAuthRequired means that the call needs a key or a session, or that the session has ended.
	CodeAuthRequired = "AUTH_REQUIRED"
	// CodeInvalidAPIKey means that the key is wrong, revoked or has expired.
	CodeInvalidAPIKey = "INVALID_API_KEY"
	// CodeAccessDenied means that the key lacks a scope, which the message names, the person a role, or that neither may see what a query asks
	// about, which may also not exist.
	CodeAccessDenied = "ACCESS_DENIED"
	// CodeMissingParameter means that the request lacks something.
	CodeMissingParameter = "MISSING_PARAMETER"
	// CodeMissingProjectID means that a query names no website, monitor, link or organization to ask about.
	CodeMissingProjectID = "MISSING_PROJECT_ID"
	// CodeMissingWebsiteID means that the request names no website.
	CodeMissingWebsiteID = "MISSING_WEBSITE_ID"
	// CodeUnauthorized means that a password, or a sign-in, is missing or wrong.
	CodeUnauthorized = "UNAUTHORIZED"
	// CodeForbidden means that another site's page may have sent the call, which has a session's cookie, or that a tool of MCP is off. A key that
	// lacks a scope is CodeAccessDenied.
	CodeForbidden = "FORBIDDEN"
	// CodeConflict means that the call does not fit to what there is. With RetryAfter, the first call with the same idempotency key is under way.
	CodeConflict = "CONFLICT"
	// CodeCompilation means that a query could not be compiled.
	CodeCompilation = "COMPILATION_ERROR"
	// CodeUnknownQueryType means that there is no such query type.
	CodeUnknownQueryType = "UNKNOWN_QUERY_TYPE"
	// CodeInvalidDatePreset means that there is no such preset.
	CodeInvalidDatePreset = "INVALID_DATE_PRESET"
	// CodeInternal means that the service has failed. RequestID names the request in its log.
	CodeInternal = "INTERNAL_SERVER_ERROR"
	// CodeNotImplemented means that this version of the service does not have the call.
	CodeNotImplemented = "NOT_IMPLEMENTED"
)

// Detail says what is wrong with one field of a request.
type Detail struct {
	// Field is its path, such as "parameters[0]".
	Field string
	// Message says what is wrong with it.
	Message string
	// Suggestion is the nearest valid value. It is empty where none is near.
	Suggestion string
}

// Error is the error of every call. Find it with errors.As, and its code with CodeOf.
type Error struct {
	// Code is one of the constants, such as CodeNotFound, or one that a later service has.
	Code string
	// Message is a sentence for people, which says what to do.
	Message string
	// Details name the fields that are wrong. There are none where the request as a whole fails.
	Details []Detail
	// RequestID names the request in the service's log. It is empty where the service did not answer.
	RequestID string
	// RetryAfter is how long the service asks to wait before the next try. It is 0 where it does not ask.
	RetryAfter time.Duration
	cause      error
	// isLasting says that the connection fails until somebody changes something.
	isLasting bool
	// status is that of HTTP where something else than Lookout answered, such as a proxy, and 0 otherwise.
	status int
	// isAfterLostAnswer says whether the answer of an earlier try was lost.
	isAfterLostAnswer bool
}

// Error is the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Unwrap returns the *connect.Error, which has the answer's headers in Meta.
func (e *Error) Unwrap() error { return e.cause }

// Is lets errors.Is find context.DeadlineExceeded in timeouts and context.Canceled in cancelled calls.
func (e *Error) Is(target error) bool {
	return e.Code == CodeTimeout && target == context.DeadlineExceeded || e.Code == CodeCancelled && target == context.Canceled
}

// CodeOf is the code of a call's error, such as CodeNotFound. It is empty for nil and for errors of others.
func CodeOf(err error) string {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}

func cancelled(cause error) *Error {
	return &Error{Code: CodeCancelled, Message: "the call was cancelled", cause: cause}
}

// IsTemporary says whether the same call may succeed later. Whether it may be made twice depends on the call.
func (e *Error) IsTemporary() bool {
	if e.isLasting {
		return false
	}
	switch e.Code {
	case CodeUnreachable, CodeTimeout, CodeBadAnswer, CodeRateLimit, CodeUnavailable, CodeInternal:
		return true
	}
	// The first try of a creating call, with the same idempotency key, is still being carried out.
	return e.Code == CodeConflict && e.RetryAfter > 0
}

// newError turns an error of connect into an *Error.
func (c *calls) newError(err error, noted *notedAnswer, spec connect.Spec) *Error {
	var answer *connect.Error
	if !errors.As(err, &answer) {
		answer = connect.NewError(connect.CodeUnknown, err)
	}
	failure := &Error{cause: err, RetryAfter: max(retryAfterOf(noted.header()), retryAfterOf(answer.Meta()))}
	for _, detail := range answer.Details() {
		if value, valueErr := detail.Value(); valueErr == nil {
			failure.add(value)
		}
	}
	if failure.Code != "" {
		failure.Message = inGo(answer.Message())
		switch {
		case failure.Code == CodeInvalidAPIKey:
			failure.Message += ". Check Options.APIKey"
		case failure.Code == CodeAuthRequired && c.apiKey == "":
			failure.Message = "the call needs a key: set Options.APIKey, which is empty"
		}
		return failure
	}
	var refusal *proxyRefusal
	if errors.As(err, &refusal) {
		return refusal.failure(c.baseURL, err)
	}
	failure.Code, failure.Message = withoutAnswer(c.baseURL, answer, noted, spec.IdempotencyLevel == connect.IdempotencyNoSideEffects)
	if status := noted.status(); status != http.StatusOK {
		failure.status = status
	}
	// What a proxy says about the address or the request does not pass by itself, unlike what it says about the time.
	failure.isLasting = failure.Code == CodeBadAnswer && failure.status != 0
	if text := untrustedText(c.baseURL, err); text != "" {
		failure.Code, failure.Message, failure.isLasting = CodeUnreachable, text, true
	}
	return failure
}

// add takes over one detail of an answer. Suggestions come after the fields that they are for.
func (e *Error) add(fact any) {
	switch fact := fact.(type) {
	case *errdetails.ErrorInfo:
		e.Code = fact.Reason
	case *errdetails.RequestInfo:
		e.RequestID = fact.RequestId
	case *errdetails.RetryInfo:
		e.RetryAfter = fact.RetryDelay.AsDuration()
	case *errdetails.BadRequest:
		for _, violation := range fact.FieldViolations {
			e.Details = append(e.Details, Detail{Field: violation.Field, Message: inGo(violation.Description)})
		}
	case *lookoutv1.FieldSuggestion:
		for index := range e.Details {
			if e.Details[index].Field == fact.Field && e.Details[index].Suggestion == "" {
				e.Details[index].Suggestion = fact.Suggestion
				return
			}
		}
	}
}

// withoutAnswer is the code and the message of an error that is not Lookout's own.
func withoutAnswer(baseURL string, answer *connect.Error, noted *notedAnswer, onlyReads bool) (code, message string) {
	switch answer.Code() {
	case connect.CodeDeadlineExceeded:
		if noted.status() != http.StatusGatewayTimeout {
			return CodeTimeout, fmt.Sprintf("%s gave no complete answer in time. Try again, or allow more", baseURL)
		}
	case connect.CodeCanceled:
		return CodeCancelled, "the call was cancelled"
	}
	switch status := noted.status(); {
	case status == http.StatusTooManyRequests:
		return CodeRateLimit, fmt.Sprintf("a proxy before %s answered 429. Call less often", baseURL)
	case status == http.StatusRequestTimeout || status >= http.StatusInternalServerError:
		return CodeUnavailable, fmt.Sprintf("a proxy before %s answered %d. Try again later", baseURL, status)
	case status == http.StatusRequestEntityTooLarge:
		return CodeBadAnswer, fmt.Sprintf("a proxy before %s answered 413. The request is larger than it takes", baseURL)
	}
	// Of net/http, which names the header and not its value.
	if _, header, isHeader := strings.Cut(answer.Message(), "net/http: invalid header "); isHeader {
		return CodeValidation, "a header of the call cannot be sent: invalid " + short(header)
	}
	switch {
	case noted.hasBrokenOff() && onlyReads:
		return CodeBadAnswer, fmt.Sprintf("the answer of %s broke off (%s). Try again", baseURL, short(answer.Message()))
	case noted.hasBrokenOff():
		return CodeBadAnswer, fmt.Sprintf("the answer of %s broke off (%s); the call may have been carried out", baseURL, short(answer.Message()))
	case noted.status() == 0:
		return CodeUnreachable, fmt.Sprintf("nothing answers at %s (%s). Check the address, and whether Lookout runs", baseURL, short(answer.Message()))
	}
	return CodeBadAnswer, fmt.Sprintf("what answers at %s is not Lookout (%s). Check the address, which has a path only if a proxy removes it, and the proxies on the way",
		baseURL, cmp.Or(short(answer.Message()), fmt.Sprintf("HTTP status %d", noted.status())))
}

// short is the beginning of a text, which may be a whole page of HTML.
func short(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return line
}
