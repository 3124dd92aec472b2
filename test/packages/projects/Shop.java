// What a shop's program does with dev.lookout:lookout-client in as few lines as it takes. The test compiles and runs it outside the repository.
import dev.lookout.Lookout;
import dev.lookout.LookoutException;
import dev.lookout.QueryTypes;
import dev.lookout.RequestOptions;
import dev.lookout.v1.Link;
import dev.lookout.v1.Query;
import dev.lookout.values.DatePreset;
import dev.lookout.values.FilterOperator;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

public class Shop {
  static final String WEBSITE = System.getenv("WEBSITE");

  public static void main(String[] args) {
    try (var lookout = new Lookout(System.getenv("BASE"), System.getenv("KEY"))) {
      campaigns(lookout);
      times(lookout);
    }
    certificates();
    quiet();
    System.out.println("done");
  }

  // Visits of two campaigns, of which one brings a sign-up.
  static void campaigns(Lookout lookout) {
    var at = Instant.now();
    var properties = Map.of("plan", "pro", "at", at, "tags", List.of("a", "b"), "steps", 3);
    // Sent twice, counted once.
    for (int time = 0; time < 2; time++)
      lookout.track(
          WEBSITE,
          e -> e.setName("page_view").setEventId("shop 1").setAnonymousId("shop-1").setPath("/shop").setUtmCampaign("spring"),
          e -> e.setName("page_view").setEventId("shop 2").setAnonymousId("shop-2").setPath("/shop").setUtmCampaign("summer"),
          e -> e.setName("signup").setEventId("shop 3").setAnonymousId("shop-1").setTimestamp(at).setProperties(properties));
    try {
      lookout.track(WEBSITE, e -> e.setName("visit"), e -> e.setAnonymousId("shop-3"));
      throw new AssertionError("an event without a name");
    } catch (LookoutException error) {
      check(error.code().equals(LookoutException.VALIDATION_ERROR) && error.details().get(0).field().equals("events[1]"), "" + error);
    }

    Consumer<Query.Builder> query =
        q -> q.setPreset(DatePreset.TODAY).addFilter("utm_campaign", FilterOperator.IN, "spring", "summer").getGoalBuilder().setEvent("signup");
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

  // A server whose certificate is of an unknown authority, of a known one, and behind a proxy.
  static void certificates() {
    var base = System.getenv("SECURE");
    try (var lookout = new Lookout(base, "untrusted java")) {
      lookout.links().listLinks(l -> {});
      throw new AssertionError("an authority that nobody knows");
    } catch (LookoutException error) {
      check(error.code().equals(LookoutException.UNREACHABLE) && !error.isTemporary(), error.toString());
      check(error.getMessage().contains("not of a trusted authority") && error.getMessage().contains("LookoutBuilder.trust"), error.toString());
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
      int answers = 0;
      var telling = RequestOptions.none().withOnReconnect((failure, wait) -> lost.add(failure.code()));
      try (var lookout = new Lookout(System.getenv("BAD_DAY_IDLE"), "watch idle java");
          var stream = lookout.queries().watch(w -> w.setKeepAliveSeconds(seconds), telling)) {
        for (var message : stream) if (++answers == 2) break;
      }
      check(lost.isEmpty() == (seconds == 1), "connections lost with a sign of life every " + seconds + " s: " + lost);
    }
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError("not true: " + what);
  }
}
