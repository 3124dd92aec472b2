package dev.lookout;

import dev.lookout.v1.BatchRequest;
import dev.lookout.v1.BatchResponse;
import dev.lookout.v1.FlatEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Events of a website, sent in the background: {@code lookout.events(website).track(e -> e.setName("signed_up"))}. They are sent together, and
 * again until they have arrived, and count once. They wait in memory: {@link Lookout#close} sends what is left. All threads may use it.
 */
public final class EventQueue {
  /** The code of events that come when too many wait already. */
  public static final String QUEUE_FULL = "QUEUE_FULL";

  /** The code of events that come after the client was closed. */
  public static final String CLOSED = "CLOSED";

  private static final int MOST_EVENTS = 100;
  // Half of what the service takes in one call.
  private static final int MOST_BYTES = 524_288;
  // The service recognizes an event id for 24 hours: what has waited almost that long may not be sent again.
  private static final Duration MOST_AGE = Duration.ofHours(23);
  private static final Duration MOST_WAIT = Duration.ofSeconds(30);

  // What is wrong with the key or the website and not with the events: it can be put right while they wait.
  private static final Set<String> BLOCKING =
      Set.of("AUTH_REQUIRED", "INVALID_API_KEY", "ACCESS_DENIED", "UNAUTHORIZED", "FORBIDDEN", "MISSING_WEBSITE_ID", "NOT_FOUND");

  private record Waiting(FlatEvent event, long sinceNanos) {}

  private final IngestService ingest;
  private final String websiteId;
  private final EventOptions options;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private boolean isClosed;
  private boolean isSending;
  private LookoutException lastFailure;
  private String blockedBy;
  private int failures;
  // How many events were taken, how many of them were sent or dropped, and up to which of them somebody waits.
  private long taken;
  private long finished;
  private long flushTo;
  // Only the newest timer sends.
  private long timer;
  private Long dueNanos;

  EventQueue(IngestService ingest, String websiteId, EventOptions options) {
    this.ingest = ingest;
    this.websiteId = websiteId;
    this.options = options;
  }

  /**
   * Takes an event, which gets an id and the time if it has none. It neither waits nor throws if the event cannot be sent: {@link
   * EventOptions#onDropped} is told.
   *
   * @throws IllegalArgumentException if a number of the event is NaN or infinite, with its name, such as {@code properties.price}
   */
  public void track(Consumer<FlatEvent.Builder> event) {
    FlatEvent.Builder filled = Calls.filled(FlatEvent.newBuilder(), Calls.given(event, "event"));
    if (filled.getEventId().isEmpty()) filled.setEventId(UUID.randomUUID().toString());
    if (!filled.hasTimestamp()) filled.setTimestamp(Instant.now());
    FlatEvent taking = filled.build();
    JsonNumbers.check(taking, "");
    LookoutException refusal = add(taking);
    if (refusal != null) drop(List.of(taking), refusal);
  }

  private synchronized LookoutException add(FlatEvent event) {
    if (isClosed) return failure(CLOSED, "The event came after close()");
    if (waiting.size() >= options.maxEvents()) return failure(QUEUE_FULL, options.maxEvents() + " events wait already" + why());
    taken++;
    waiting.add(new Waiting(event, System.nanoTime()));
    if (failures == 0 && !isSending) schedule(waiting.size() >= MOST_EVENTS ? Duration.ZERO : options.flushInterval());
    return null;
  }

  /**
   * Waits until all events that were taken so far are sent or dropped. Events that wait for their next try after a failure are tried at
   * once.
   *
   * @throws LookoutException TIMEOUT if they are not in this time; they go on waiting
   */
  public synchronized void flush(Duration timeout) {
    long endNanos = System.nanoTime() + timeout.toNanos();
    long last = taken;
    flushTo = Math.max(flushTo, last);
    if (!isSending) schedule(Duration.ZERO);
    while (finished < last) {
      long remaining = endNanos - System.nanoTime();
      if (remaining <= 0)
        throw failure(LookoutException.TIMEOUT, waiting.size() + " events are not sent after " + timeout.toMillis() / 1_000.0 + " s" + why());
      try {
        TimeUnit.NANOSECONDS.timedWait(this, remaining);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw LookoutException.cancelled("The thread was interrupted", interrupted);
      }
    }
  }

  /** Takes no more events, and waits for those that wait. */
  void close() {
    synchronized (this) {
      isClosed = true;
    }
    try {
      flush(options.closeTimeout());
    } catch (LookoutException late) {
      List<FlatEvent> rest;
      synchronized (this) {
        rest = finish(waiting.size());
      }
      drop(rest, lastFailure == null ? late : lastFailure);
    }
  }

  private void schedule(Duration wait) {
    long due = System.nanoTime() + wait.toNanos();
    if (waiting.isEmpty() || (dueNanos != null && due - dueNanos >= 0)) return;
    dueNanos = due;
    long own = ++timer;
    CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS).execute(() -> send(own));
  }

  private void send(long own) {
    BatchRequest batch;
    synchronized (this) {
      if (own != timer || isSending || waiting.isEmpty()) return;
      dueNanos = null;
      isSending = true;
      batch = nextBatch();
    }
    ingest
        .batchAsync(batch, RequestOptions.none().withMaxRetries(0))
        .whenComplete((answer, error) -> (error == null ? sent(answer, batch) : failed(asFailure(error), batch)).forEach(Runnable::run));
  }

  /** As much as one call takes. It stays here until it is sent. */
  private BatchRequest nextBatch() {
    BatchRequest.Builder batch = BatchRequest.newBuilder().setWebsiteId(websiteId);
    int bytes = 0;
    for (Waiting each : waiting) {
      bytes += each.event.getSerializedSize();
      if (batch.getEventsCount() == MOST_EVENTS || (batch.getEventsCount() > 0 && bytes > MOST_BYTES)) break;
      batch.addEventsBuilder().setFlat(each.event);
    }
    return batch.build();
  }

  private synchronized List<Runnable> sent(BatchResponse answer, BatchRequest batch) {
    List<FlatEvent> events = finish(batch.getEventsCount());
    isSending = false;
    failures = 0;
    lastFailure = null;
    blockedBy = null;
    schedule(finished < flushTo || waiting.size() >= MOST_EVENTS ? Duration.ZERO : options.flushInterval());
    var reports = new ArrayList<Runnable>();
    for (int index = 0; index < Math.min(events.size(), answer.getResultsCount()); index++) {
      var result = answer.getResults(index);
      var refused = List.of(events.get(index));
      if (result.getStatus().equals("error"))
        reports.add(() -> drop(refused, failure(LookoutException.VALIDATION_ERROR, result.getMessage())));
    }
    return reports;
  }

  private synchronized List<Runnable> failed(LookoutException error, BatchRequest batch) {
    isSending = false;
    lastFailure = error;
    var reports = new ArrayList<Runnable>();
    // A certificate that is not trusted, or another server: nothing that is wrong with the events.
    boolean isOnTheWay = error.code().equals(LookoutException.UNREACHABLE) || error.code().equals(LookoutException.BAD_ANSWER);
    boolean isBlocking = BLOCKING.contains(error.code()) || (isOnTheWay && !error.isTemporary());
    if (!error.isTemporary() && !isBlocking) {
      List<FlatEvent> refused = finish(batch.getEventsCount());
      reports.add(() -> drop(refused, error));
      schedule(Duration.ZERO);
      return reports;
    }
    failures++;
    Duration wait = Retries.waitBefore(error, failures);
    schedule(wait == null || wait.compareTo(MOST_WAIT) > 0 ? MOST_WAIT : wait);
    long oldest = System.nanoTime() - MOST_AGE.toNanos();
    List<FlatEvent> old = finish((int) waiting.stream().takeWhile(each -> each.sinceNanos - oldest < 0).count());
    reports.add(() -> drop(old, error));
    if (isBlocking && !error.code().equals(blockedBy)) reports.add(() -> tell(() -> options.onBlocked().accept(error)));
    if (isBlocking) blockedBy = error.code();
    return reports;
  }

  /** Removes the first ones, which are those that are sent. */
  private List<FlatEvent> finish(int count) {
    var done = new ArrayList<FlatEvent>();
    while (done.size() < count && !waiting.isEmpty()) done.add(waiting.remove().event);
    finished += done.size();
    notifyAll();
    return List.copyOf(done);
  }

  private void drop(List<FlatEvent> events, LookoutException why) {
    if (!events.isEmpty()) tell(() -> options.onDropped().accept(events, why));
  }

  /** An error of a callback must neither reach track() nor stop the queue. */
  private static void tell(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException error) {
      System.getLogger("dev.lookout").log(System.Logger.Level.ERROR, "onDropped or onBlocked failed", error);
    }
  }

  private String why() {
    return lastFailure == null ? "" : ". The last failure: " + lastFailure;
  }

  private static LookoutException asFailure(Throwable error) {
    return error instanceof LookoutException failure ? failure : failure(LookoutException.BAD_ANSWER, "The events could not be sent: " + error);
  }

  private static LookoutException failure(String code, String message) {
    return new LookoutException(code, message, List.of(), null, null, null);
  }
}
