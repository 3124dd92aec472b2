package dev.lookout;

import dev.lookout.v1.BatchRequest;
import dev.lookout.v1.EventResult;
import dev.lookout.v1.FlatEvent;
import java.util.ArrayList;
import java.util.List;

/** Sends events, as many as a call takes at once. */
final class Batches {
  private static final int MOST_EVENTS = 100;

  private Batches() {}

  static void send(IngestService ingest, String websiteId, List<FlatEvent> events, RequestOptions options) {
    for (int index = 0; index < events.size(); index++) JsonNumbers.check(events.get(index), "events[" + index + "].");
    var refused = new ArrayList<LookoutException.Detail>();
    for (int first = 0; first < events.size(); first += MOST_EVENTS) {
      var batch = BatchRequest.newBuilder().setWebsiteId(websiteId);
      for (FlatEvent event : events.subList(first, Math.min(first + MOST_EVENTS, events.size()))) batch.addEventsBuilder().setFlat(event);
      List<EventResult> results = ingest.batch(batch.build(), options).getResultsList();
      EventFailures.requireResults(results, batch.getEventsCount());
      for (int index = 0; index < results.size(); index++) {
        EventResult result = results.get(index);
        if (result.getStatus().equals("error"))
          refused.add(new LookoutException.Detail("events[" + (first + index) + "]", result.getMessage(), null));
      }
    }
    if (refused.isEmpty()) return;
    var one = refused.get(0);
    String message = "%d of %d events are wrong. %s: %s".formatted(refused.size(), events.size(), one.field(), one.message());
    throw new LookoutException(LookoutException.VALIDATION_ERROR, message, refused, null, null, null);
  }
}
