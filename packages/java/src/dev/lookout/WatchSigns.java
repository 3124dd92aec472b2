package dev.lookout;

import dev.lookout.v1.WatchRequest;
import dev.lookout.v1.WatchResponse;
import java.time.Duration;

/** The signs of life of a watch. Proxies end a quiet stream, and answer the pings of HTTP/2 for a service that is gone. */
final class WatchSigns {
  private static final int USUAL_SECONDS = 30;

  private WatchSigns() {}

  /** The request of a watch, which asks for signs of life. Other requests stay as they are. */
  @SuppressWarnings("unchecked")
  static <Q> Q asked(Q request) {
    if (!(request instanceof WatchRequest watch) || watch.hasKeepAliveSeconds()) return request;
    return (Q) watch.toBuilder().setKeepAliveSeconds(USUAL_SECONDS).build();
  }

  /** How long a stream with signs of life may be quiet. Null for requests that ask for none. */
  static Duration mostQuiet(Object request) {
    return request instanceof WatchRequest watch ? Duration.ofMillis(watch.getKeepAliveSeconds() * 2_500L) : null;
  }

  /** Whether a message only says that the stream is alive. */
  static boolean isOnlySign(Object message) {
    return message instanceof WatchResponse answer && !answer.hasAnswer();
  }
}
