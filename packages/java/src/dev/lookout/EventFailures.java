package dev.lookout;

import dev.lookout.v1.EventResult;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a failed batch of events means for its events. */
final class EventFailures {
  private static final int TOO_LARGE = 413;
  private static final Pattern EVENT = Pattern.compile("^events\\[(\\d{1,9})\\]");

  private EventFailures() {}

  /**
   * Whether a failure stays and is not about the events, but about the key, the website or the way to Lookout. A person can put that right
   * while the events wait.
   */
  static boolean isBlocking(LookoutException error) {
    return !mayPass(error) && !isTooLarge(error) && !isAboutEvents(error);
  }

  /** Whether waiting helps. Nobody cancels the calls of a queue but a proxy, which ends their connection so. */
  static boolean mayPass(LookoutException error) {
    return error.isTemporary() || error.code().equals(LookoutException.CANCELLED);
  }

  /** Whether a proxy takes no request of this size. */
  static boolean isTooLarge(LookoutException error) {
    return error.status() == TOO_LARGE;
  }

  /** VALIDATION_ERROR may also be about something else than events, such as the website. */
  private static boolean isAboutEvents(LookoutException error) {
    List<LookoutException.Detail> details = error.details();
    return error.code().equals(LookoutException.VALIDATION_ERROR)
        && (details.isEmpty() || details.stream().anyMatch(each -> each.field().isEmpty() || each.field().matches("events\\b.*")));
  }

  /** The events of a batch that a failure is about, by their index: those that its details name; all of them where it names none. */
  static Set<Integer> culprits(LookoutException error, int count) {
    Set<Integer> named =
        error.details().stream()
            .map(each -> EVENT.matcher(each.field()))
            .filter(Matcher::find)
            .map(found -> Integer.valueOf(found.group(1)))
            .filter(index -> index < count)
            .collect(Collectors.toSet());
    return named.isEmpty() ? IntStream.range(0, count).boxed().collect(Collectors.toSet()) : named;
  }

  /** @throws LookoutException BAD_ANSWER for an answer that does not say of each event what became of it */
  static void requireResults(List<EventResult> results, int count) {
    long known = results.stream().filter(each -> each.getStatus().equals("success") || each.getStatus().equals("error")).count();
    if (known == count && results.size() == count) return;
    throw LookoutException.lasting(
        LookoutException.BAD_ANSWER,
        "The answer has results of %d events, not of the %d that were sent, so it is not one of Lookout. Check the address and the proxies on the way"
            .formatted(known, count));
  }
}
