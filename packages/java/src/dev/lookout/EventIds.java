package dev.lookout;

import dev.lookout.v1.BatchRequest;
import dev.lookout.v1.CollectRequest;
import dev.lookout.v1.Event;
import dev.lookout.v1.TrackRequest;
import java.util.UUID;

/** Gives events without an id a random one: an event with an id counts once, however often it is sent. */
final class EventIds {
  private EventIds() {}

  /** The request itself if all its events have ids. */
  @SuppressWarnings("unchecked")
  static <Q> Q added(Q request) {
    if (request instanceof TrackRequest track) return (Q) of(track);
    if (request instanceof BatchRequest batch) return (Q) of(batch);
    if (request instanceof CollectRequest collect && collect.hasEvent() && collect.getEvent().getEventId().isEmpty()) {
      var event = collect.getEvent().toBuilder().setEventId(random());
      return (Q) collect.toBuilder().setEvent(event).build();
    }
    return request;
  }

  private static TrackRequest of(TrackRequest request) {
    var all = request.toBuilder();
    all.getEventsBuilderList().forEach(event -> {
      if (event.getEventId().isEmpty()) event.setEventId(random());
    });
    return all.build();
  }

  private static BatchRequest of(BatchRequest request) {
    var all = request.toBuilder();
    for (Event.Builder event : all.getEventsBuilderList()) {
      switch (event.getPayloadCase()) {
        case TRACK -> {
          if (event.getTrack().getEventId().isEmpty()) event.getTrackBuilder().setEventId(random());
        }
        case FLAT -> {
          if (event.getFlat().getEventId().isEmpty()) event.getFlatBuilder().setEventId(random());
        }
        case OUTGOING_LINK -> {
          if (event.getOutgoingLink().getEventId().isEmpty()) event.getOutgoingLinkBuilder().setEventId(random());
        }
        default -> {}
      }
    }
    return all.build();
  }

  private static String random() {
    return UUID.randomUUID().toString();
  }
}
