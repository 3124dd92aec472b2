package dev.lookout;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** When a call is made again. */
final class Retries {
  private static final Duration FIRST_WAIT = Duration.ofMillis(200);
  private static final Duration MOST_WAIT = Duration.ofMinutes(1);

  private Retries() {}

  /**
   * How long to wait after so many failures: what the service asks for and up to a tenth more, or a time that doubles and half of which
   * is random. So clients that failed together do not return together. Null for a service that asks for more than a minute.
   */
  static Duration waitBefore(LookoutException failure, int failures) {
    double random = ThreadLocalRandom.current().nextDouble();
    Duration asked = failure.retryAfter();
    if (asked != null) return asked.compareTo(MOST_WAIT) > 0 ? null : times(asked, 1 + random / 10);
    double doubled = Math.min(MOST_WAIT.toNanos(), FIRST_WAIT.toNanos() * Math.pow(2, failures - 1));
    return Duration.ofNanos((long) (doubled * (0.5 + random / 2)));
  }

  private static Duration times(Duration duration, double factor) {
    return Duration.ofNanos((long) (duration.toNanos() * factor));
  }
}
