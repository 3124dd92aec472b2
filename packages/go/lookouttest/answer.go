package lookouttest

import (
	"context"
	"fmt"
	"iter"
	"net/http"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	lookout "lookout.dev/client"
)

// Answer answers a call, such as lookout.LinkCalls.CreateLink, with a message.
func Answer[Calls, Q, A any](call func(Calls, context.Context, *Q, ...lookout.CallOption) (*A, error), answer *A) Setting {
	return func(s *Service) error {
		if problems := wrongAnswer(answer); problems != "" {
			return fmt.Errorf("the answer of %s is not one of Lookout: %s", nameOf[Q](), problems)
		}
		return s.add(procedureOf[Q](), unary(s, func(*Q) (*A, error) { return answer, nil }))
	}
}

// AnswerFunc answers a call with what a function makes of its request. A *lookout.Error of the function is the error of the call, with its code,
// details, request id and RetryAfter; other errors have CodeInternal, and an answer that is not one of Lookout has CodeBadAnswer. The function
// may be called by several goroutines at a time.
func AnswerFunc[Calls, Q, A any](
	call func(Calls, context.Context, *Q, ...lookout.CallOption) (*A, error), answer func(*Q) (*A, error),
) Setting {
	return func(s *Service) error { return s.add(procedureOf[Q](), unary(s, answer)) }
}

// Stream answers a call that streams, such as lookout.DataCalls.DownloadExport, with messages, and ends the stream.
func Stream[Calls, Q, A any](call func(Calls, context.Context, *Q, ...lookout.CallOption) iter.Seq2[*A, error], answers ...*A) Setting {
	return func(s *Service) error {
		for _, answer := range answers {
			if problems := wrongAnswer(answer); problems != "" {
				return fmt.Errorf("an answer of %s is not one of Lookout: %s", nameOf[Q](), problems)
			}
		}
		return s.add(procedureOf[Q](), stream(s, func(*Q) ([]*A, error) { return answers, nil }))
	}
}

func (s *Service) add(procedure string, handler http.Handler) error {
	if _, isTwice := s.handlers[procedure]; isTwice {
		return fmt.Errorf("%s has two answers", procedure)
	}
	s.handlers[procedure] = handler
	return nil
}

func unary[Q, A any](s *Service, answer func(*Q) (*A, error)) http.Handler {
	return connect.NewUnaryHandler(procedureOf[Q](), func(_ context.Context, request *connect.Request[Q]) (*connect.Response[A], error) {
		if err := s.take(procedureOf[Q](), request.Header(), request.Msg); err != nil {
			return nil, sent(err)
		}
		answered, err := answer(request.Msg)
		if err == nil {
			err = badAnswer[Q](answered)
		}
		if err != nil {
			return nil, sent(err)
		}
		return connect.NewResponse(answered), nil
	})
}

func stream[Q, A any](s *Service, answers func(*Q) ([]*A, error)) http.Handler {
	handle := func(_ context.Context, request *connect.Request[Q], to *connect.ServerStream[A]) error {
		if err := s.take(procedureOf[Q](), request.Header(), request.Msg); err != nil {
			return sent(err)
		}
		answered, err := answers(request.Msg)
		if err != nil {
			return sent(err)
		}
		for _, each := range answered {
			if err := to.Send(each); err != nil {
				return err
			}
		}
		return nil
	}
	return connect.NewServerStreamHandler(procedureOf[Q](), handle)
}

// take notes a call, and refuses it if its request is wrong.
func (s *Service) take(procedure string, header http.Header, request any) error {
	message := request.(proto.Message)
	s.note(Call{Procedure: procedure, Header: header.Clone(), Request: message})
	return checkRequest(message)
}

// badAnswer is the error of a call whose answer is not one of Lookout.
func badAnswer[Q, A any](answer *A) error {
	problems := wrongAnswer(answer)
	if problems == "" {
		return nil
	}
	message := fmt.Sprintf("the test's answer of %s is not one of Lookout: %s", nameOf[Q](), problems)
	return &lookout.Error{Code: lookout.CodeBadAnswer, Message: message}
}

// methodOf is the call that has a message as its request: each call has one of its own.
func methodOf(request protoreflect.FullName) protoreflect.MethodDescriptor {
	var found protoreflect.MethodDescriptor
	protoregistry.GlobalFiles.RangeFilesByPackage(request.Parent(), func(file protoreflect.FileDescriptor) bool {
		for service := range file.Services().Len() {
			methods := file.Services().Get(service).Methods()
			for index := range methods.Len() {
				if methods.Get(index).Input().FullName() == request {
					found = methods.Get(index)
				}
			}
		}
		return found == nil
	})
	return found
}

// procedureOf is the path of the call of a request: "/lookout.v1.LinkService/CreateLink".
func procedureOf[Q any]() string {
	method := methodOf(any(new(Q)).(proto.Message).ProtoReflect().Descriptor().FullName())
	return fmt.Sprintf("/%s/%s", method.Parent().FullName(), method.Name())
}

func nameOf[Q any]() string {
	return string(methodOf(any(new(Q)).(proto.Message).ProtoReflect().Descriptor().FullName()).Name())
}
