package dev.lookout;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The tries of one call, which share its timeout. */
final class Attempts<Q, A> {
  private final Calls calls;
  private final MethodDescriptor<Q, A> method;
  private final Q request;
  private final RequestOptions options;
  private final Metadata headers;
  private final int mostFailures;
  private final long endNanos;
  private final CompletableFuture<A> result = new CompletableFuture<>();
  private volatile ClientCall<Q, A> current;
  private final Repeats repeats;
  private int failures;
  private boolean isAnswerLost;

  Attempts(Calls calls, MethodDescriptor<Q, A> method, Repeats repeats, Q request, RequestOptions options) {
    this.calls = calls;
    this.method = method;
    this.repeats = repeats;
    this.request = repeats == Repeats.WITH_EVENT_IDS ? EventIds.added(request) : request;
    this.options = options;
    headers = calls.headers(request, options, repeats);
    int retries = options.maxRetries() == null ? calls.maxRetries : options.maxRetries();
    mostFailures = repeats == Repeats.NO ? 0 : retries;
    endNanos = System.nanoTime() + calls.timeout(options).toNanos();
  }

  /** Makes the call. Cancelling the future ends it. */
  CompletableFuture<A> start() {
    result.whenComplete(
        (answer, error) -> {
          if (result.isCancelled()) current.cancel("The call was cancelled", null);
        });
    attempt();
    return result;
  }

  private long remainingNanos() {
    return Math.max(0, endNanos - System.nanoTime());
  }

  private void attempt() {
    SentTracer tracer = new SentTracer();
    CallOptions within =
        CallOptions.DEFAULT
            .withDeadlineAfter(remainingNanos(), TimeUnit.NANOSECONDS)
            .withStreamTracerFactory(tracer);
    ClientCall<Q, A> call = calls.channel.newCall(method, within);
    current = call;
    if (result.isCancelled()) return;
    Metadata sent = new Metadata();
    sent.merge(headers);
    call.start(new Listener(tracer), sent);
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
  }

  private void failed(Status status, Metadata trailers, SentTracer tracer) {
    LookoutException failure = calls.failure(status.asRuntimeException(trailers), tracer.isSent());
    failures++;
    // The try whose answer was lost has deleted it.
    if (repeats == Repeats.DELETES && isAnswerLost && failure.code().equals(LookoutException.NOT_FOUND)) {
      result.complete(Calls.successOf(method));
      return;
    }
    isAnswerLost |= failure.code().equals(LookoutException.BAD_ANSWER);
    Duration wait = failures > mostFailures || !failure.isTemporary() ? null : Retries.waitBefore(failure, failures);
    if (wait == null || wait.toNanos() >= remainingNanos()) {
      result.completeExceptionally(failure);
      return;
    }
    Executor later = CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS);
    later.execute(this::attempt);
  }

  private final class Listener extends ClientCall.Listener<A> {
    private Metadata received = new Metadata();
    private final SentTracer tracer;
    private A answer;

    Listener(SentTracer tracer) {
      this.tracer = tracer;
    }

    @Override
    public void onHeaders(Metadata headers) {
      received = headers;
    }

    @Override
    public void onMessage(A message) {
      answer = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!status.isOk()) failed(status, trailers, tracer);
      else if (answer == null) failed(Status.INTERNAL.withDescription("the answer has no message"), trailers, tracer);
      else {
        try {
          if (options.onAnswer() != null) options.onAnswer().accept(Answered.of(received, trailers));
          result.complete(answer);
        } catch (RuntimeException error) {
          result.completeExceptionally(error);
        }
      }
    }
  }
}
