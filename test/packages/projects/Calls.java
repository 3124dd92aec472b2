// What a service does with dev.lookout:lookout-client. The test compiles and runs it outside the repository.
import com.google.protobuf.Value;
import dev.lookout.Lookout;
import dev.lookout.LookoutException;
import dev.lookout.QueryTypes;
import dev.lookout.v1.BatchRequest;
import dev.lookout.v1.Event;
import dev.lookout.v1.FlatEvent;
import dev.lookout.v1.Query;
import dev.lookout.v1.QueryAnswer;
import dev.lookout.v1.QueryFilter;
import dev.lookout.v1.QueryParameter;
import dev.lookout.v1.QueryRequest;
import dev.lookout.v1.WatchRequest;
import java.time.Duration;
import java.util.List;

public class Calls {
  static final String BASE = System.getenv("BASE");
  static final String KEY = System.getenv("KEY");
  static final String WEBSITE = System.getenv("WEBSITE");
  static final String PATH = "/java";

  public static void main(String[] args) {
    try (var lookout = new Lookout(BASE, KEY)) {
      sendAndQuery(lookout);
      refused(lookout);
    }
    failures();
    Example.main(args);
    System.out.println("done");
  }

  static Query query(QueryParameter... parameters) {
    var ofPath = QueryFilter.newBuilder().setField("path").setOp("eq").setValue(Value.newBuilder().setStringValue(PATH));
    return Query.newBuilder().setPreset("today").addAllParameters(List.of(parameters)).addFilters(ofPath).build();
  }

  static QueryAnswer ask(Lookout lookout, QueryParameter... parameters) {
    var request = QueryRequest.newBuilder().setWebsiteId(WEBSITE).setQuery(query(parameters)).build();
    return lookout.queries().query(request).getSingle();
  }

  static void sendAndQuery(Lookout lookout) {
    var view = FlatEvent.newBuilder().setEventId("view").setName("page_view").setAnonymousId("visitor").setPath(PATH);
    var event = Event.newBuilder().setFlat(view).build();
    // The same event twice counts once.
    var batch = BatchRequest.newBuilder().setWebsiteId(WEBSITE).addEvents(event).addEvents(event).build();
    check(lookout.ingest().batch(batch).getStatus().equals("success"), "the batch is a success");

    var watched = query(QueryTypes.SUMMARY_METRICS.parameter());
    try (var stream = lookout.queries().watch(WatchRequest.newBuilder().setWebsiteId(WEBSITE).setQuery(watched).build())) {
      for (var message : stream) {
        var views = QueryTypes.SUMMARY_METRICS.rows(message.getAnswer()).get(0).pageviews();
        if (views != null && views == 1) break;
      }
    }

    var hours = QueryTypes.PAGE_VIEWS.named("by hour");
    var answer =
        ask(
            lookout,
            hours.parameter().toBuilder().setGranularity("hourly").build(),
            QueryTypes.TOP_PAGES.parameter(),
            QueryTypes.SESSION_LIST.parameter(),
            QueryTypes.PERFORMANCE_OVERVIEW.parameter());
    var pages = QueryTypes.TOP_PAGES.rows(answer);
    check(pages.size() == 1 && pages.get(0).path().equals(PATH) && pages.get(0).views() == 1, "one view of the page");
    var session = QueryTypes.SESSION_LIST.rows(answer).get(0);
    check(session.firstVisit() != null && session.events().size() == 1, "a time and an array");
    check(QueryTypes.PERFORMANCE_OVERVIEW.rows(answer).get(0).avgLoadTime() == null, "a figure that was not measured");
    check(hours.rows(answer).get(0).date().contains(":"), "a row for each hour");
    var missing = errorOf(() -> QueryTypes.PAGE_VIEWS.rows(answer));
    check(missing.code().equals(LookoutException.NOT_ASKED), "a type that the query did not ask under its own name");
  }

  // Errors that the service answers.
  static void refused(Lookout lookout) {
    var unknown = errorOf(() -> ask(lookout, QueryParameter.newBuilder().setName("top_pagse").build()));
    check(unknown.code().equals("VALIDATION_ERROR") && unknown.requestId().startsWith("req_"), "code and request id");
    check(unknown.details().get(0).field().equals("parameters[0]"), "the field");
    check(unknown.details().get(0).message().contains("did you mean \"top_pages\"?"), "the suggestion");

    var links = ask(lookout, QueryTypes.LINK_TOTAL_CLICKS.parameter());
    var unanswered = errorOf(() -> QueryTypes.LINK_TOTAL_CLICKS.rows(links));
    check(unanswered.code().equals(LookoutException.QUERY_ERROR), "a parameter that could not be answered");
  }

  record Failure(String what, String base, String key, String code, String advice) {}

  // Each failure has a code, and a message that says what to do.
  static void failures() {
    String broken = System.getenv("BROKEN");
    List<Failure> failures =
        List.of(
            new Failure("wrong key", BASE, "wrong", "INVALID_API_KEY", "Check the apiKey"),
            new Failure("nothing listens", "http://127.0.0.1:9", "key", LookoutException.UNREACHABLE, "Check the address"),
            new Failure("no such host", "http://lookout.invalid", "key", LookoutException.UNREACHABLE, "Check the address"),
            new Failure("no gRPC", System.getenv("NO_GRPC"), "key", LookoutException.BAD_ANSWER, "Check the address"),
            new Failure("cut answer", broken, "cut", LookoutException.BAD_ANSWER, "Check the address"),
            new Failure("reset answer", broken, "reset", LookoutException.BAD_ANSWER, "Check the address"),
            new Failure("another server", broken, "other", LookoutException.BAD_ANSWER, "Check the address"),
            new Failure("no answer", broken, "hang", LookoutException.TIMEOUT, "longer timeout"));
    for (var each : failures) {
      var timeout = Duration.ofMillis(each.code.equals(LookoutException.TIMEOUT) ? 300 : 5_000);
      try (var lookout = new Lookout(each.base, each.key, timeout)) {
        var error = errorOf(() -> ask(lookout, QueryTypes.TOP_PAGES.parameter()));
        check(error.code().equals(each.code) && error.getMessage().contains(each.advice), each.what + ": " + error);
      }
    }
    var late = WatchRequest.newBuilder().setWebsiteId(WEBSITE).build();
    try (var lookout = new Lookout(broken, "hang", Duration.ofMillis(300));
        var stream = lookout.queries().watch(late)) {
      check(errorOf(() -> stream.iterator().next()).code().equals(LookoutException.TIMEOUT), "a watch without a message");
    }
    try {
      new Lookout("lookout.example.com", "key");
      check(false, "an address without http://");
    } catch (IllegalArgumentException wrong) {
      check(wrong.getMessage().contains("http://"), wrong.getMessage());
    }
  }

  static LookoutException errorOf(Runnable call) {
    try {
      call.run();
    } catch (LookoutException error) {
      return error;
    }
    throw new AssertionError("the call should have failed");
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError("not true: " + what);
  }
}
