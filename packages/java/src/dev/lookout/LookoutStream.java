package dev.lookout;

import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The messages of a stream, for one loop. {@link #close} ends the stream, so open it with try. The loop waits for the next message,
 * and throws a {@link LookoutException} when the stream fails.
 */
public final class LookoutStream<T> implements Iterable<T>, AutoCloseable {
  private final Iterator<T> messages;
  private final Context.CancellableContext context;
  private final String address;
  private final Duration timeout;
  private volatile boolean hasBegun;

  /** A loop ends the stream if it waits longer than the timeout for the first message. */
  LookoutStream(Iterator<T> messages, Context.CancellableContext context, String address, Duration timeout) {
    this.messages = messages;
    this.context = context;
    this.address = address;
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
          boolean isLate = context.cancellationCause() instanceof TimeoutException;
          throw isLate ? LookoutException.timeout(address, error) : LookoutException.of(error, address);
        }
      }

      @Override
      public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        return messages.next();
      }
    };
  }

  @Override
  public void close() {
    context.cancel(null);
  }
}
