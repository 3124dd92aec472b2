package dev.lookout;

import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The messages of a stream, for one loop. {@link #close} ends the stream, from any thread, so open it with try. The loop waits for the
 * next message, ends when the stream is closed, and throws a {@link LookoutException} when it fails or the client is closed. A stream is
 * opened again as often as a call is repeated until its first message, and a watch as often as needed afterwards: {@link
 * RequestOptions#withOnReconnect} tells it.
 */
public final class LookoutStream<T> implements Iterable<T>, AutoCloseable {
  private final Calls calls;
  private final Function<SentTracer, Iterator<T>> open;
  private final RequestOptions options;
  private final boolean isWatch;
  private final Duration timeout;
  private final Duration mostQuiet;
  private final int maxRetries;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Context.CancellableContext context;

  LookoutStream(Calls calls, Function<SentTracer, Iterator<T>> open, RequestOptions options, boolean isWatch, Duration mostQuiet) {
    this.calls = calls;
    this.open = open;
    this.options = options;
    this.isWatch = isWatch;
    this.mostQuiet = mostQuiet;
    timeout = calls.timeout(options);
    maxRetries = options.maxRetries() == null ? calls.maxRetries : options.maxRetries();
  }

  @Override
  public Iterator<T> iterator() {
    return new Messages();
  }

  private final class Messages implements Iterator<T> {
    private Iterator<T> messages;
    private SentTracer tracer;
    private volatile boolean isAnswered;
    private boolean hasBegun;
    private int failures;
    private T next;
    // Whether this connection has had a message.
    private boolean hasMessage;
    private long endNanos = System.nanoTime() + timeout.toNanos();

    @Override
    public boolean hasNext() {
      while (next == null) {
        Context.CancellableContext used = context;
        try {
          if (messages == null) used = connect();
          boolean hasNext = hasNextInTime(used);
          T message = hasNext ? messages.next() : null;
          hasMessage = true;
          if (WatchSigns.isOnlySign(message)) continue;
          isAnswered = true;
          hasBegun = true;
          failures = 0;
          if (!hasNext) return false;
          next = message;
        } catch (StatusRuntimeException error) {
          if (isEnded()) return false;
          boolean isLate = used.cancellationCause() instanceof TimeoutException;
          boolean isOpenedAgain = waitAfter(isLate ? calls.timedOut(error) : calls.streamFailure(error, tracer.isSent()));
          messages = null;
          if (!isOpenedAgain) return false;
        }
      }
      return true;
    }

    @Override
    public T next() {
      if (!hasNext()) throw new NoSuchElementException();
      T message = next;
      next = null;
      return message;
    }

    /** Ends the connection if the message that is waited for does not come in time. */
    private boolean hasNextInTime(Context.CancellableContext own) {
      if (!hasMessage || mostQuiet == null) return messages.hasNext();
      var heard = new CompletableFuture<Void>();
      heard.orTimeout(mostQuiet.toNanos(), TimeUnit.NANOSECONDS).whenComplete((none, late) -> {
        if (late != null) own.cancel(late);
      });
      try {
        return messages.hasNext();
      } finally {
        // A file has many parts: this removes the timer.
        heard.complete(null);
      }
    }

    /** Ends the connection if its first message does not come in time. A sign of life is none: the loop would wait for ever. */
    private Context.CancellableContext connect() {
      isAnswered = false;
      hasMessage = false;
      tracer = new SentTracer();
      Context.CancellableContext own = Context.ROOT.withCancellation();
      context = own;
      if (closed.getCount() == 0) own.cancel(null);
      Context before = own.attach();
      try {
        messages = open.apply(tracer);
      } finally {
        own.detach(before);
      }
      Runnable end = () -> {
        if (!isAnswered && context == own) own.cancel(new TimeoutException());
      };
      CompletableFuture.delayedExecutor(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS).execute(end);
      return own;
    }

    /** Throws the failure if the stream is not opened again. False if it was closed meanwhile. */
    private boolean waitAfter(LookoutException failure) {
      failures++;
      boolean mayRepeat = maxRetries > 0 && (hasBegun ? isWatch : failures <= maxRetries);
      Duration wait = mayRepeat && failure.isTemporary() && closed.getCount() > 0 ? Retries.waitBefore(failure, failures) : null;
      if (wait == null || (!hasBegun && System.nanoTime() + wait.toNanos() > endNanos)) throw failure;
      if (options.onReconnect() != null) options.onReconnect().accept(failure, wait);
      try {
        if (closed.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
          if (isEnded()) return false;
          throw LookoutException.cancelled("The client is closed", failure);
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw LookoutException.cancelled("The thread was interrupted", interrupted);
      }
      if (hasBegun) endNanos = System.nanoTime() + timeout.toNanos();
      return true;
    }
  }

  /** Whether the program has closed the stream itself, which ends a loop, and not the client, whose end may come as a surprise to it. */
  private boolean isEnded() {
    return closed.getCount() == 0 && !calls.isClosed();
  }

  /** The messages as a stream of Java. */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false).onClose(this::close);
  }

  /** Ends the stream: a loop over it, in whatever thread, ends without an error. */
  @Override
  public void close() {
    closed.countDown();
    Context.CancellableContext current = context;
    if (current != null) current.cancel(null);
  }
}
