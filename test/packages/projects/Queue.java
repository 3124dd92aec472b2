// What becomes of events that wait in a queue of dev.lookout:lookout-client when something fails that does not pass by itself. The test compiles
// and runs it outside the repository.
import dev.lookout.EventOptions;
import dev.lookout.Lookout;
import dev.lookout.LookoutBuilder;
import dev.lookout.LookoutException;
import dev.lookout.RequestOptions;
import dev.lookout.v1.FlatEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

public class Queue {
  static final Duration SOON = Duration.ofSeconds(5);

  // What the queue has said: "dropped" and the names of events, or "blocked", each with the code.
  static final List<String> told = new CopyOnWriteArrayList<>();

  public static void main(String[] args) {
    blocking();
    lacking();
    culprits();
    tooLarge();
    refusingProxy();
    System.out.println("done");
  }

  static Lookout with(String key) {
    return with(Lookout.builder(System.getenv("INTERRUPTED")).apiKey(key));
  }

  static Lookout with(LookoutBuilder builder) {
    told.clear();
    return builder
        .events(
            EventOptions.usual()
                .withFlushInterval(Duration.ofDays(1))
                .withOnDropped((events, why) -> told.add("dropped " + String.join(" ", events.stream().map(FlatEvent::getName).toList()) + " " + why.code()))
                .withOnBlocked(why -> told.add("blocked " + why.code())))
        .build();
  }

  static void track(Lookout lookout, String... names) {
    for (String name : names) lookout.events("shop").track(e -> e.setName(name));
  }

  static LookoutException failureOf(Runnable call) {
    try {
      call.run();
    } catch (LookoutException failure) {
      return failure;
    }
    throw new AssertionError("the call should have failed");
  }

  // An error that the caller must fix is reported, flush fails at once, and the events wait.
  static void blocking() {
    for (var each :
        Map.of(
                "status-403 queue java", "BAD_ANSWER",
                "status-407 queue java", "BAD_ANSWER",
                "fails-NOT_IMPLEMENTED java", "NOT_IMPLEMENTED",
                "fails-PAYMENT_REQUIRED java", "PAYMENT_REQUIRED")
            .entrySet()) {
      try (var lookout = with(each.getKey())) {
        track(lookout, "a", "b");
        var failure = failureOf(() -> lookout.events("shop").flush(SOON));
        check(failure.code().equals(each.getValue()), each.getKey() + ": " + failure);
        lookout.events("shop").flush(SOON);
        checkTold("blocked " + each.getValue());
      }
    }
  }

  // An answer without a result of each event is none of Lookout: no event counts as stored.
  static void lacking() {
    try (var lookout = with("lacking java")) {
      track(lookout, "a", "b");
      var failure = failureOf(() -> lookout.events("shop").flush(SOON));
      check(failure.code().equals(LookoutException.BAD_ANSWER) && !failure.isTemporary(), failure.toString());
      check(failure.getMessage().startsWith("The answer has results of 1 events, not of the 2 that were sent"), failure.toString());
      lookout.events("shop").flush(SOON);
      checkTold("blocked BAD_ANSWER");
      var tries = new ArrayList<String>();
      lookout.links().listLinks(l -> {}, RequestOptions.none().withOnAnswer(answer -> tries.add(answer.headers().get("x-tries"))));
      check(tries.equals(List.of("3")), "both events were sent again: " + tries);
    }
    try (var lookout = with("lacking track java")) {
      var failure = failureOf(() -> lookout.track("shop", e -> e.setName("a"), e -> e.setName("b")));
      check(failure.code().equals(LookoutException.BAD_ANSWER), failure.toString());
    }
  }

  // Only the event that the service names is dropped. Those of its batch are sent.
  static void culprits() {
    try (var lookout = with("fails-VALIDATION_ERROR java")) {
      track(lookout, "a", "b", "c");
      lookout.events("shop").flush(SOON);
      checkTold("dropped b VALIDATION_ERROR");
    }
  }

  // What a proxy takes not even alone is dropped. What it takes not at once goes in smaller batches.
  static void tooLarge() {
    try (var lookout = with("limit-1000 java")) {
      track(lookout, "a");
      lookout.events("shop").track(e -> e.setName("b").setTitle("b".repeat(2_000)));
      track(lookout, "c");
      lookout.events("shop").flush(SOON);
      checkTold("dropped b BAD_ANSWER");
    }
    try (var lookout = with("status-413 queue java")) {
      track(lookout, "a", "b");
      lookout.events("shop").flush(SOON);
      var tries = new ArrayList<String>();
      lookout.links().listLinks(l -> {}, RequestOptions.none().withOnAnswer(answer -> tries.add(answer.headers().get("x-tries"))));
      check(tries.equals(List.of("4")) && told.isEmpty(), "refused, each event alone, and the list: " + tries + told);
    }
  }

  // A proxy that asks for a password does not let anything through until it has one.
  static void refusingProxy() {
    var proxy = System.getenv("REFUSING_PROXY").split("[:/]+");
    var builder = Lookout.builder(System.getenv("SECURE")).trust(Path.of(System.getenv("AUTHORITY")));
    try (var lookout = with(builder.proxy(proxy[1], Integer.parseInt(proxy[2])))) {
      track(lookout, "a");
      var failure = failureOf(() -> lookout.events("shop").flush(SOON));
      check(failure.code().equals(LookoutException.BAD_ANSWER) && failure.getMessage().contains("refuses the connection (status 407)"), failure.toString());
      checkTold("blocked BAD_ANSWER");
    }
  }

  // Queues call back on a thread of their own, perhaps only after flush.
  static void checkTold(String expected) {
    long endNanos = System.nanoTime() + SOON.toNanos();
    while (told.isEmpty() && System.nanoTime() < endNanos) Thread.onSpinWait();
    check(told.equals(List.of(expected)), expected + ", but: " + told);
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError("not true: " + what);
  }
}
