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

  /** @param number that of the event among all that were taken, from 1 */
  private record Waiting(FlatEvent event, long sinceNanos, long number) {}

  private final IngestService ingest;
  private final String websiteId;
  private final EventOptions options;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private boolean isClosed;
  private boolean isSending;
  private LookoutException lastFailure;
  private boolean isBlocked;
  private String blockedBy;
  private int failures;
  private long tries;
  // Events in one call at most: fewer once a proxy has refused that many as too large.
  private int most = MOST_EVENTS;
  // How many events were taken, and up to which of them somebody waits.
  private long taken;
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
    waiting.add(new Waiting(event, System.nanoTime(), taken));
    if (failures == 0 && !isSending) schedule(waiting.size() >= MOST_EVENTS ? Duration.ZERO : options.flushInterval());
    return null;
  }

  /**
   * Waits until all events that were taken so far are sent or dropped. Events that wait for their next try after a failure are tried at
   * once.
   *
   * @throws LookoutException TIMEOUT if they are not in this time, and at once the failure if waiting does not help, such as
   *     INVALID_API_KEY; the events go on waiting
   */
  public synchronized void flush(Duration timeout) {
    long endNanos = System.nanoTime() + timeout.toNanos();
    long last = taken;
    long before = tries;
    flushTo = Math.max(flushTo, last);
    if (!isSending) schedule(Duration.ZERO);
    while (finished() < last) {
      if (isBlocked && tries > before) throw lastFailure.thrownHere();
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
        .whenComplete((answer, error) -> done(answer, error, batch).forEach(Runnable::run));
  }

  private List<Runnable> done(BatchResponse answer, Throwable error, BatchRequest batch) {
    if (error != null) return failed(asFailure(error), batch);
    try {
      EventFailures.requireResults(answer.getResultsList(), batch.getEventsCount());
    } catch (LookoutException lacking) {
      return failed(lacking, batch);
    }
    return sent(answer, batch);
  }

  /** As much as one call takes. It stays here until it is sent. */
  private BatchRequest nextBatch() {
    BatchRequest.Builder batch = BatchRequest.newBuilder().setWebsiteId(websiteId);
    int bytes = 0;
    for (Waiting each : waiting) {
      bytes += each.event.getSerializedSize();
      if (batch.getEventsCount() == most || (batch.getEventsCount() > 0 && bytes > MOST_BYTES)) break;
      batch.addEventsBuilder().setFlat(each.event);
    }
    return batch.build();
  }

  private synchronized List<Runnable> sent(BatchResponse answer, BatchRequest batch) {
    List<FlatEvent> events = finish(batch.getEventsCount());
    isSending = false;
    tries++;
    failures = 0;
    lastFailure = null;
    isBlocked = false;
    blockedBy = null;
    schedule(finished() < flushTo || waiting.size() >= MOST_EVENTS ? Duration.ZERO : options.flushInterval());
    var reports = new ArrayList<Runnable>();
    for (int index = 0; index < events.size(); index++) {
      var result = answer.getResults(index);
      var refused = List.of(events.get(index));
      if (result.getStatus().equals("error"))
        reports.add(() -> drop(refused, failure(LookoutException.VALIDATION_ERROR, result.getMessage())));
    }
    return reports;
  }

  private synchronized List<Runnable> failed(LookoutException error, BatchRequest batch) {
    isSending = false;
    // The client was closed meanwhile, and has told what is lost.
    if (isClosed && waiting.isEmpty()) return List.of();
    tries++;
    lastFailure = error;
    isBlocked = EventFailures.isBlocking(error);
    notifyAll();
    int count = batch.getEventsCount();
    if (EventFailures.isTooLarge(error) && count > 1) {
      most = count / 2;
      schedule(Duration.ZERO);
      return List.of();
    }
    var reports = new ArrayList<Runnable>();
    if (!EventFailures.mayPass(error) && !isBlocked) {
      List<FlatEvent> refused = refuse(EventFailures.culprits(error, count));
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
    if (isBlocked && !error.code().equals(blockedBy)) reports.add(() -> tell(() -> options.onBlocked().accept(error)));
    if (isBlocked) blockedBy = error.code();
    return reports;
  }

  /** Removes the first ones, which are those that are sent. */
  private List<FlatEvent> finish(int count) {
    var done = new ArrayList<FlatEvent>();
    while (done.size() < count && !waiting.isEmpty()) done.add(waiting.remove().event);
    notifyAll();
    return List.copyOf(done);
  }

  /** Removes those of the first ones that have these places. */
  private List<FlatEvent> refuse(Set<Integer> culprits) {
    var refused = new ArrayList<FlatEvent>();
    int place = 0;
    for (var each = waiting.iterator(); each.hasNext() && refused.size() < culprits.size(); place++) {
      FlatEvent event = each.next().event;
      if (!culprits.contains(place)) continue;
      refused.add(event);
      each.remove();
    }
    notifyAll();
    return refused;
  }

  /** How many events, the first ones, were sent or dropped. */
  private long finished() {
    return waiting.isEmpty() ? taken : waiting.peek().number - 1;
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
