// What a shop's program does with dev.lookout:lookout-client in as few lines as it takes. The test compiles and runs it outside the repository.
import dev.lookout.EventOptions;
import dev.lookout.EventQueue;
import dev.lookout.Lookout;
import dev.lookout.LookoutException;
import dev.lookout.QueryTypes;
import dev.lookout.RequestOptions;
import dev.lookout.Revenue;
import dev.lookout.v1.FlatEvent;
import dev.lookout.v1.Link;
import dev.lookout.v1.Query;
import dev.lookout.v1.QueryRequest;
import dev.lookout.values.DatePreset;
import dev.lookout.values.FilterOperator;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

public class Shop {
  static final String WEBSITE = System.getenv("WEBSITE");

  public static void main(String[] args) {
    try (var lookout = new Lookout(System.getenv("BASE"), System.getenv("KEY"))) {
      campaigns(lookout);
      times(lookout);
      options(lookout);
    }
    certificates();
    unreached();
    waiting();
    quiet();
    System.out.println("done");
  }

  // Visits of two campaigns, of which one brings a sign-up.
  static void campaigns(Lookout lookout) {
    var at = Instant.now();
    var properties = Map.of("plan", "pro", "at", at, "tags", List.of("a", "b"), "steps", 3, "currency", "EUR");
    // Sent twice, counted once.
    for (int time = 0; time < 2; time++)
      lookout.track(
          WEBSITE,
          e -> e.setName("page_view").setEventId("shop 1").setAnonymousId("shop-1").setPath("/shop").setUtmCampaign("spring"),
          e -> e.setName("page_view").setEventId("shop 2").setAnonymousId("shop-2").setPath("/shop").setUtmCampaign("summer"),
          e -> e.setName("signed_up").setEventId("shop 3").setAnonymousId("shop-1").setTimestamp(at).setProperties(properties));
    try {
      lookout.track(WEBSITE, e -> e.setName("visit"), e -> e.setAnonymousId("shop-3"));
      throw new AssertionError("an event without a name");
    } catch (LookoutException error) {
      check(error.code().equals(LookoutException.VALIDATION_ERROR) && error.details().get(0).field().equals("events[1]"), "" + error);
    }

    Consumer<Query.Builder> query =
        q -> q.setPreset(DatePreset.TODAY).addFilter("utm_campaign", FilterOperator.IN, "spring", "summer").getGoalBuilder().setEvent("signed_up");
    try (var stream = lookout.watch(WEBSITE, query.andThen(q -> q.addParameters(QueryTypes.GOAL_CONVERSIONS.parameter(p -> p.setSplitBy("utm_campaign")))))) {
      for (var message : stream) {
        var rows = QueryTypes.GOAL_CONVERSIONS.rows(message);
        if (rows.size() > 1 && rows.get(0).completions() == 1) break;
      }
    }
    var rows = QueryTypes.UTM_CAMPAIGNS.ask(lookout, WEBSITE, query);
    check(rows.size() == 2 && rows.get(0).name().equals("spring") && rows.get(0).conversions() == 1, rows.toString());
    var answer = lookout.query(WEBSITE, query.andThen(q -> q.addParameters(QueryTypes.TOP_PAGES.parameter(p -> p.setLimit(1)))));
    check(QueryTypes.TOP_PAGES.rows(answer).get(0).path().equals("/shop"), answer.toString());
    QueryTypes.UTM_CAMPAIGNS.ask(lookout, WEBSITE, q -> q.setPreset(DatePreset.TODAY).addFilter("utm_campaign", FilterOperator.IS_EMPTY));

    // What a goal is worth.
    Consumer<Query.Builder> worth =
        q -> q.setPreset(DatePreset.TODAY).getGoalBuilder().setEvent("signed_up").getValueBuilder().setProperty("steps").setCurrencyProperty("currency");
    var revenue = QueryTypes.GOAL_CONVERSIONS.ask(lookout, WEBSITE, worth).get(0).revenue();
    check(revenue.equals(List.of(new Revenue("EUR", 3, 1))), revenue.toString());

    // What the service says about the answer.
    var hinted = QueryTypes.UTM_CAMPAIGNS.ask(lookout, WEBSITE, q -> q.setPreset(DatePreset.TODAY).getGoalBuilder().setEvent("signd_up"));
    check(hinted.hints().get(0).getSuggestion().equals("signed_up") && hinted.meta().getHintsCount() == 1, hinted.meta().toString());
    check(rows.hints().isEmpty() && rows.comparison().isEmpty() && !rows.isComparable(), rows.meta().toString());
    var compared = QueryTypes.SUMMARY_METRICS.ask(lookout, WEBSITE, q -> q.setPreset(DatePreset.TODAY).getCompareBuilder().setPeriod("previous"));
    check(compared.comparison().size() == 1, compared.comparison().toString());
  }

  // Times are written into requests, and read from answers; a list goes through all pages.
  static void times(Lookout lookout) {
    var soon = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 3_600);
    var link = lookout.links().createLink(l -> l.setTargetUrl("https://example.com/times").setWebsiteId(WEBSITE).setExpiresAt(soon)).getLink();
    check(link.getExpiresAtInstant().equals(soon) && link.getCreatedAtInstant().isBefore(soon), link.toString());
    check(Link.getDefaultInstance().getExpiresAtInstant() == null, "no time");
    var found = lookout.links().allLinks(l -> l.setWebsiteId(WEBSITE).setLimit(1)).stream().filter(each -> each.equals(link)).count();
    check(found == 1, "the link is in the list");
    var later = lookout.links().getLinkAsync(l -> l.setId(link.getId()));
    check(later.join().getLink().equals(link), "the same link");
  }

  // The short forms take options, and the days of a time zone.
  static void options(Lookout lookout) {
    var ids = new ArrayList<String>();
    var noted = RequestOptions.none().withOnAnswer(answer -> ids.add(answer.requestId()));
    // A zone where it is another day than in UTC.
    var zone = ZoneId.of(Instant.now().atZone(ZoneOffset.UTC).getHour() < 12 ? "Etc/GMT+12" : "Pacific/Kiritimati");
    var days = QueryTypes.PAGE_VIEWS.ask(lookout, WEBSITE, zone, q -> q.setPreset(DatePreset.TODAY));
    check(days.get(0).date().startsWith(LocalDate.now(zone).toString()), days.toString());
    check(days.get(0).day().equals(LocalDate.parse(days.get(0).date())) && days.get(0).hour() == null, days.toString());
    var hours =
        QueryTypes.PAGE_VIEWS.ask(
            lookout, WEBSITE, zone, q -> q.setPreset(DatePreset.TODAY).addParameters(QueryTypes.PAGE_VIEWS.parameter(p -> p.setGranularity("hourly"))));
    var midnight = days.get(0).day().atStartOfDay(zone).toOffsetDateTime();
    check(hours.get(0).hour().equals(midnight) && hours.get(0).day().equals(days.get(0).day()), hours.toString());
    Consumer<Query.Builder> views = q -> q.setPreset(DatePreset.TODAY).addParameters(QueryTypes.PAGE_VIEWS.parameter());
    check(QueryTypes.PAGE_VIEWS.rows(lookout.query(WEBSITE, zone, views, noted)).equals(days), "the same days");
    lookout.query(WEBSITE, views, noted);
    QueryTypes.PAGE_VIEWS.ask(lookout, WEBSITE, views, noted);
    lookout.track(WEBSITE, List.of(FlatEvent.newBuilder().setName("visit").build()), noted);
    lookout.links().listLinksAsync(l -> l.setWebsiteId(WEBSITE), noted).join();
    lookout.links().allLinks(l -> l.setWebsiteId(WEBSITE).setLimit(1_000), noted).stream().count();
    var today = QueryRequest.newBuilder().setWebsiteId(WEBSITE).setQuery(Query.newBuilder().setPreset(DatePreset.TODAY));
    QueryTypes.TOP_PAGES.all(lookout, today.build(), noted).stream().count();
    check(ids.size() == 7 && !ids.contains(null), "the options of each call: " + ids);
    try (var stream = lookout.watch(WEBSITE, zone, views, RequestOptions.none().withOnReconnect((failure, wait) -> {}))) {
      check(QueryTypes.PAGE_VIEWS.rows(stream.iterator().next()).size() == 1, "one day");
    }
    check(lookout.websites().allWebsites().stream().count() == lookout.websites().listWebsites().getWebsitesCount(), "all websites");
  }

  // What is wrong on the way is said, and whose part it is.
  static void unreached() {
    try {
      Lookout.builder(System.getenv("SECURE")).trust(Path.of("pom.xml"));
      throw new AssertionError("a file without a certificate");
    } catch (IllegalArgumentException error) {
      check(error.getMessage().contains("pom.xml has no certificate"), error.toString());
    }
    try {
      Lookout.builder("http://127.0.0.1:9").trust(Path.of(System.getenv("AUTHORITY"))).build();
      throw new AssertionError("an authority for no TLS");
    } catch (IllegalArgumentException error) {
      check(error.getMessage().startsWith("trust(…) needs a baseUrl with https://"), error.toString());
    }
    var trusting = Lookout.builder(System.getenv("SECURE")).trust(Path.of(System.getenv("AUTHORITY")));
    try (var lookout = trusting.proxy("127.0.0.1", 9).maxRetries(0).build()) {
      lookout.links().listLinks();
      throw new AssertionError("a proxy that is down");
    } catch (LookoutException error) {
      check(error.code().equals(LookoutException.UNREACHABLE) && error.getMessage().contains("through the proxy 127.0.0.1:9 (Connection refused"), error.toString());
    }
    var elsewhere = System.getenv("SECURE").replace("127.0.0.1", "localhost");
    try (var lookout = Lookout.builder(elsewhere).trust(Path.of(System.getenv("AUTHORITY"))).build()) {
      lookout.links().listLinks();
      throw new AssertionError("the certificate of another host");
    } catch (LookoutException error) {
      check(error.getMessage().contains("for another host") && !error.getMessage().contains("Nothing answers"), error.toString());
    }
  }

  // Events in the background are sent until they have arrived, and what is given up is told.
  static void waiting() {
    var dropped = new CopyOnWriteArrayList<String>();
    var blocked = new CopyOnWriteArrayList<String>();
    var options =
        EventOptions.usual()
            .withFlushInterval(Duration.ofMillis(50))
            .withOnDropped((events, why) -> events.forEach(event -> dropped.add(event.getName() + " " + why.code())))
            .withOnBlocked(why -> blocked.add(why.code()));
    var interrupted = System.getenv("INTERRUPTED");
    EventQueue queue;
    try (var lookout = Lookout.builder(interrupted).apiKey("lost events java").events(options).build()) {
      queue = lookout.events("shop");
      queue.track(e -> e.setName("order").setEventId("order 1"));
      queue.track(e -> e.setName("bad"));
      queue.track(e -> e.setName("order").setEventId("order 2"));
      queue.flush(Duration.ofSeconds(30));
      for (int number = 3; number <= 250; number++) lookout.events("shop").track(e -> e.setName("order"));
    }
    queue.track(e -> e.setName("late"));
    check(dropped.equals(List.of("bad VALIDATION_ERROR", "late CLOSED")), "what is wrong and what is late: " + dropped);

    // A key that is wrong until somebody puts it right.
    dropped.clear();
    try (var lookout = Lookout.builder(interrupted).apiKey("wrong").events(options).build()) {
      lookout.events("shop").track(e -> e.setName("order").setEventId("order 251"));
      while (blocked.isEmpty()) Thread.onSpinWait();
      lookout.ingest().track(t -> {});
      lookout.events("shop").flush(Duration.ofSeconds(30));
    }
    check(blocked.equals(List.of("INVALID_API_KEY")) && dropped.isEmpty(), blocked + " " + dropped);

    // Asked to wait for 7 s, the queue would not be done in time: flush tries at once.
    try (var lookout = Lookout.builder(interrupted).apiKey("status-503 java").events(options.withFlushInterval(Duration.ofDays(1))).build()) {
      lookout.events("shop").track(e -> e.setName("order").setEventId("order 252"));
      try {
        lookout.events("shop").flush(Duration.ofSeconds(3));
        throw new AssertionError("the first try fails");
      } catch (LookoutException late) {
        check(late.getMessage().contains(LookoutException.SERVICE_UNAVAILABLE), late.toString());
      }
      lookout.events("shop").flush(Duration.ofSeconds(3));
    }

    var small = options.withMaxEvents(1).withCloseTimeout(Duration.ofMillis(100));
    try (var lookout = Lookout.builder("http://127.0.0.1:9").events(small).build()) {
      lookout.events("shop").track(e -> e.setName("first"));
      lookout.events("shop").track(e -> e.setName("second"));
      try {
        lookout.events("shop").flush(Duration.ofMillis(500));
        throw new AssertionError("nothing is sent");
      } catch (LookoutException late) {
        check(late.code().equals(LookoutException.TIMEOUT) && late.getMessage().contains(LookoutException.UNREACHABLE), late.toString());
      }
    }
    check(dropped.equals(List.of("second QUEUE_FULL", "first UNREACHABLE")), "what could not wait or be sent: " + dropped);
  }

  // A server whose certificate is of an unknown authority, of a known one, and behind a proxy.
  static void certificates() {
    var base = System.getenv("SECURE");
    try (var lookout = new Lookout(base, "untrusted java")) {
      lookout.links().listLinks(l -> {});
      throw new AssertionError("an authority that nobody knows");
    } catch (LookoutException error) {
      check(error.code().equals(LookoutException.UNREACHABLE) && !error.isTemporary(), error.toString());
      check(error.getMessage().contains("not of a trusted authority") && !error.getMessage().contains("Nothing answers") && error.getMessage().contains("LookoutBuilder.trust"), error.toString());
    }
    var tries = new ArrayList<String>();
    var counted = RequestOptions.none().withOnAnswer(answer -> tries.add(answer.headers().get("x-tries")));
    var proxy = System.getenv("PROXY").split("[:/]+");
    var trusting = Lookout.builder(base).apiKey("trusted java").trust(Path.of(System.getenv("AUTHORITY")));
    try (var lookout = trusting.proxy(proxy[1], Integer.parseInt(proxy[2])).build()) {
      lookout.links().listLinks(l -> {}, counted);
    }
    check(tries.equals(List.of("1")), "the first try: " + tries);
  }

  // A proxy ends quiet connections, but not one with signs of life.
  static void quiet() {
    for (int seconds : new int[] {1, 300}) {
      var lost = new ArrayList<String>();
      // A watch changes nothing: it does not matter how far the service got.
      int answers = 0;
      var telling = RequestOptions.none().withOnReconnect((failure, wait) -> lost.add(failure.getMessage()));
      try (var lookout = new Lookout(System.getenv("BAD_DAY_IDLE"), "watch idle java");
          var stream = lookout.queries().watch(w -> w.setKeepAliveSeconds(seconds), telling)) {
        for (var message : stream) if (++answers == 2) break;
      }
      check(lost.stream().noneMatch(message -> message.contains("carried out")), lost.toString());
      check(lost.isEmpty() == (seconds == 1), "connections lost with a sign of life every " + seconds + " s: " + lost);
    }
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError("not true: " + what);
  }
}
