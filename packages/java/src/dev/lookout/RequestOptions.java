package dev.lookout;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What is different for one call: {@code RequestOptions.none().withTimeout(Duration.ofMinutes(1))}. It does not change; each method
 * returns another one.
 *
 * @param timeout of the call with all its tries, and of a stream until its first message; null for the client's
 * @param maxRetries how often the call is repeated at most; null for the client's
 * @param idempotencyKey of a creating call, for a key that outlives this process; null for one that the client makes
 * @param headers further headers by name
 * @param onAnswer receives the answer's headers, before the call returns; null for nobody
 * @param onReconnect is told each failure after which a stream is opened again, and the wait before; null for nobody
 */
public record RequestOptions(
    Duration timeout,
    Integer maxRetries,
    String idempotencyKey,
    Map<String, String> headers,
    Consumer<Answered> onAnswer,
    BiConsumer<LookoutException, Duration> onReconnect) {
  private static final RequestOptions NONE = new RequestOptions(null, null, null, Map.of(), null, null);

  public RequestOptions {
    headers = Map.copyOf(headers);
    if (maxRetries != null) checkedRetries(maxRetries);
  }

  static int checkedRetries(int maxRetries) {
    if (maxRetries < 0) throw new IllegalArgumentException("maxRetries must be 0 or more, not " + maxRetries);
    return maxRetries;
  }

  /** Nothing is different. */
  public static RequestOptions none() {
    return NONE;
  }

  /** With another timeout of the call with all its tries, and of a stream until its first message. */
  public RequestOptions withTimeout(Duration timeout) {
    return new RequestOptions(timeout, maxRetries, idempotencyKey, headers, onAnswer, onReconnect);
  }

  /**
   * With another number of repeats; 0 means none.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RequestOptions withMaxRetries(int maxRetries) {
    return new RequestOptions(timeout, maxRetries, idempotencyKey, headers, onAnswer, onReconnect);
  }

  /** With a key by which the service makes one object of all calls that have it. */
  public RequestOptions withIdempotencyKey(String idempotencyKey) {
    return new RequestOptions(timeout, maxRetries, idempotencyKey, headers, onAnswer, onReconnect);
  }

  /** With one more header. */
  public RequestOptions withHeader(String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return new RequestOptions(timeout, maxRetries, idempotencyKey, all, onAnswer, onReconnect);
  }

  /** With a receiver of the answer's headers. */
  public RequestOptions withOnAnswer(Consumer<Answered> onAnswer) {
    return new RequestOptions(timeout, maxRetries, idempotencyKey, headers, onAnswer, onReconnect);
  }

  /** With somebody who is told each failure after which a stream is opened again, and the wait before. */
  public RequestOptions withOnReconnect(BiConsumer<LookoutException, Duration> onReconnect) {
    return new RequestOptions(timeout, maxRetries, idempotencyKey, headers, onAnswer, onReconnect);
  }
}
