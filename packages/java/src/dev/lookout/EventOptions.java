package dev.lookout;

import dev.lookout.v1.FlatEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * How events wait to be sent: {@code EventOptions.usual().withMaxEvents(50_000)}. It does not change; each method returns another one.
 *
 * @param maxEvents how many events wait at most; further ones are dropped
 * @param flushInterval how long an event waits for others to be sent with
 * @param closeTimeout how long the client's close waits for events to be sent
 * @param onDropped is given events that were not and will not be stored, and why
 * @param onBlocked is told what somebody must change before events can be sent, such as a wrong key or a proxy that refuses, once for each code until
 *     events are sent again; meanwhile they wait
 */
public record EventOptions(
    int maxEvents,
    Duration flushInterval,
    Duration closeTimeout,
    BiConsumer<List<FlatEvent>, LookoutException> onDropped,
    Consumer<LookoutException> onBlocked) {
  private static final System.Logger LOG = System.getLogger("dev.lookout");

  private static final EventOptions USUAL =
      new EventOptions(
          10_000,
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          (events, why) -> LOG.log(System.Logger.Level.WARNING, events.size() + " events were dropped: " + why),
          why -> LOG.log(System.Logger.Level.WARNING, "Events cannot be sent and wait: " + why));

  /** 10 000 events, sent every second, 5 s at the end; what is dropped or blocked is logged by the System.Logger dev.lookout. */
  public static EventOptions usual() {
    return USUAL;
  }

  /** With another number of events that wait at most. */
  public EventOptions withMaxEvents(int maxEvents) {
    return new EventOptions(maxEvents, flushInterval, closeTimeout, onDropped, onBlocked);
  }

  /** With another time that an event waits for others. */
  public EventOptions withFlushInterval(Duration flushInterval) {
    return new EventOptions(maxEvents, flushInterval, closeTimeout, onDropped, onBlocked);
  }

  /** With another time that the client's close waits. */
  public EventOptions withCloseTimeout(Duration closeTimeout) {
    return new EventOptions(maxEvents, flushInterval, closeTimeout, onDropped, onBlocked);
  }

  /** With somebody who is given events that were not and will not be stored. */
  public EventOptions withOnDropped(BiConsumer<List<FlatEvent>, LookoutException> onDropped) {
    return new EventOptions(maxEvents, flushInterval, closeTimeout, onDropped, onBlocked);
  }

  /** With somebody who is told what must be changed before events can be sent. */
  public EventOptions withOnBlocked(Consumer<LookoutException> onBlocked) {
    return new EventOptions(maxEvents, flushInterval, closeTimeout, onDropped, onBlocked);
  }
}
