package dev.lookout.testing;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RequestInfo;
import com.google.rpc.RetryInfo;
import dev.lookout.LookoutException;
import dev.lookout.v1.FieldSuggestion;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** A way to a service in memory. Its answers are made where the call is made, in the thread of the caller. */
final class MemoryChannel extends Channel {
  /** Answers a call by its name on the wire. What it throws is the call's failure. */
  interface Answers {
    List<? extends Message> answer(String method, Message request);
  }

  private final Answers answers;

  MemoryChannel(Answers answers) {
    this.answers = answers;
  }

  @Override
  public String authority() {
    return "test.invalid";
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    return new Call<>(method.getFullMethodName());
  }

  private final class Call<Q, A> extends ClientCall<Q, A> {
    private final String method;
    private final Queue<Object> coming = new ArrayDeque<>();
    private Listener<A> listener;
    private Message request;
    private StatusRuntimeException end;
    private int wanted;
    private boolean isDelivering;
    private boolean isClosed;

    Call(String method) {
      this.method = method;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      this.listener = listener;
    }

    @Override
    public void request(int count) {
      wanted += count;
      deliver();
    }

    @Override
    public void sendMessage(Q message) {
      request = (Message) message;
    }

    @Override
    public void halfClose() {
      try {
        coming.addAll(answers.answer(method, request));
        end = Status.OK.asRuntimeException();
      } catch (LookoutException failure) {
        end = toStatus(failure);
      } catch (RuntimeException | Error mistake) {
        // A mistake of the test. It may be thrown in another thread than that of the test.
        end = toStatus(LookoutException.of(LookoutException.BAD_ANSWER, String.valueOf(mistake.getMessage())));
      }
      listener.onHeaders(new Metadata());
      deliver();
    }

    /** As many messages as are wanted; each may make the listener want more. */
    @SuppressWarnings("unchecked")
    private void deliver() {
      if (isDelivering || end == null || isClosed) return;
      isDelivering = true;
      while (wanted > 0 && !coming.isEmpty()) {
        wanted--;
        listener.onMessage((A) coming.remove());
      }
      isDelivering = false;
      if (coming.isEmpty()) close(end.getStatus(), end.getTrailers());
    }

    @Override
    public void cancel(String message, Throwable cause) {
      close(Status.CANCELLED.withDescription(message).withCause(cause), null);
    }

    private void close(Status status, Metadata trailers) {
      if (isClosed) return;
      isClosed = true;
      listener.onClose(status, trailers == null ? new Metadata() : trailers);
    }
  }

  /** A failure as the service sends it. */
  private static StatusRuntimeException toStatus(LookoutException failure) {
    var wrong = BadRequest.newBuilder();
    var status = com.google.rpc.Status.newBuilder().setCode(Code.UNKNOWN_VALUE).setMessage(failure.getMessage());
    for (var detail : failure.details()) {
      wrong.addFieldViolationsBuilder().setField(detail.field()).setDescription(detail.message());
      if (detail.suggestion() != null)
        status.addDetails(Any.pack(FieldSuggestion.newBuilder().setField(detail.field()).setSuggestion(detail.suggestion()).build()));
    }
    status.addDetails(Any.pack(ErrorInfo.newBuilder().setReason(failure.code()).setDomain("lookout.v1").build()));
    status.addDetails(Any.pack(RequestInfo.newBuilder().setRequestId("req_test").build()));
    status.addDetails(Any.pack(wrong.build()));
    if (failure.retryAfter() != null) {
      var wait = Duration.newBuilder().setSeconds(failure.retryAfter().getSeconds()).setNanos(failure.retryAfter().getNano());
      status.addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(wait).build()));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }
}
