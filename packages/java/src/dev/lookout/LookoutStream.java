package dev.lookout;

import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The messages of a stream, for one loop. {@link #close} ends the stream, from any thread, so open it with try. The loop waits for the
 * next message, and throws a {@link LookoutException} when the stream fails or is closed meanwhile.
 */
public final class LookoutStream<T> implements Iterable<T>, AutoCloseable {
  private final Iterator<T> messages;
  private final Context.CancellableContext context;
  private final Calls calls;
  private final Duration timeout;
  private volatile boolean hasBegun;

  /** A loop ends the stream if it waits longer than the timeout for the first message. */
  LookoutStream(Iterator<T> messages, Context.CancellableContext context, Calls calls, Duration timeout) {
    this.messages = messages;
    this.context = context;
    this.calls = calls;
    this.timeout = timeout;
  }

  private void endUnlessBegun() {
    if (!hasBegun) context.cancel(new TimeoutException());
  }

  @Override
  public Iterator<T> iterator() {
    CompletableFuture.delayedExecutor(timeout.toNanos(), TimeUnit.NANOSECONDS).execute(this::endUnlessBegun);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        try {
          boolean hasNext = messages.hasNext();
          hasBegun = true;
          return hasNext;
        } catch (StatusRuntimeException error) {
          throw context.cancellationCause() instanceof TimeoutException ? calls.timedOut(error) : calls.failure(error);
        }
      }

      @Override
      public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        return messages.next();
      }
    };
  }

  /** The messages as a stream of Java. */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false).onClose(this::close);
  }

  @Override
  public void close() {
    context.cancel(null);
  }
}
