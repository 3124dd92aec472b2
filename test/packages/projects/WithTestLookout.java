// Tests of a program with the test double of dev.lookout:lookout-client. The test compiles and runs it outside the repository.
import dev.lookout.EventOptions;
import dev.lookout.Lookout;
import dev.lookout.LookoutException;
import dev.lookout.QueryType;
import dev.lookout.QueryTypes;
import dev.lookout.testing.TestLookout;
import dev.lookout.v1.CreateLinkResponse;
import dev.lookout.v1.CreateMonitorRequest;
import dev.lookout.v1.DownloadExportResponse;
import dev.lookout.v1.GetLinkRequest;
import dev.lookout.v1.GetLinkResponse;
import dev.lookout.v1.Link;
import dev.lookout.v1.ListMonitorsResponse;
import dev.lookout.v1.Monitor;
import dev.lookout.values.Interval;
import com.google.protobuf.ByteString;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class WithTestLookout {
  public static void main(String[] args) throws Exception {
    answers();
    rows();
    events();
    mistakes();
    names();
    System.out.println("done");
  }

  static void answers() {
    var test =
        new TestLookout()
            .answer("links.createLink", CreateLinkResponse.newBuilder().setLink(Link.newBuilder().setSlug("summer")).build())
            .answer("links.getLink", GetLinkRequest.class, WithTestLookout::found)
            .answer("data.downloadExport", part("one"), part("two"), part("three"), part("four"), part("five"));
    try (var lookout = test.client()) {
      check(lookout.links().createLink(l -> l.setTargetUrl("https://shop.example")).getLink().getSlug().equals("summer"), "an answer");
      check(lookout.links().getLinkAsync(l -> l.setId("l1")).join().getLink().getId().equals("l1"), "a function of the request");
      var missing = errorOf(() -> lookout.links().getLink(l -> l.setId("gone")));
      check(missing.code().equals(LookoutException.NOT_FOUND) && missing.getMessage().equals("The link is gone"), missing.toString());
      check(missing.details().get(0).equals(new LookoutException.Detail("id", "is gone", "l1")), missing.details().toString());
      var parts = new ArrayList<String>();
      try (var stream = lookout.data().downloadExport(d -> d.setExportId("e1"))) {
        for (var part : stream) parts.add(part.getData().toStringUtf8());
      }
      check(parts.equals(List.of("one", "two", "three", "four", "five")), parts.toString());
      var unanswered = errorOf(() -> lookout.websites().listWebsites());
      check(unanswered.code().equals(LookoutException.NOT_IMPLEMENTED), unanswered.toString());
      check(unanswered.getMessage().contains("answer(\"websites.listWebsites\""), unanswered.toString());
    }
    var names = test.calls().stream().map(each -> each.name()).toList();
    check(names.equals(List.of("links.createLink", "links.getLink", "links.getLink", "data.downloadExport", "websites.listWebsites")), names.toString());
    check(test.requests(GetLinkRequest.class).get(1).getId().equals("gone"), "requests of a type");
  }

  static GetLinkResponse found(GetLinkRequest asked) {
    if (asked.getId().equals("gone"))
      throw LookoutException.of(LookoutException.NOT_FOUND, "The link is gone", new LookoutException.Detail("id", "is gone", "l1"));
    return GetLinkResponse.newBuilder().setLink(Link.newBuilder().setId(asked.getId())).build();
  }

  static DownloadExportResponse part(String text) {
    return DownloadExportResponse.newBuilder().setData(ByteString.copyFromUtf8(text)).build();
  }

  static void rows() {
    var test = new TestLookout().rows(QueryTypes.TOP_PAGES, page("/a"), page("/b"), page("/c")).rows(QueryTypes.SUMMARY_METRICS, Map.of("pageviews", 7));
    try (var lookout = test.client()) {
      var pages = QueryTypes.TOP_PAGES.ask(lookout, "shop", q -> q.setLimit(2).setPage(2));
      check(pages.size() == 1 && pages.get(0).path().equals("/c") && pages.get(0).conversions() == null, pages.toString());
      var answer = lookout.query("shop", q -> q.addParameters(QueryTypes.SUMMARY_METRICS.parameter()).addParameters(QueryTypes.TOP_PAGES.named("few").parameter(p -> p.setLimit(1))));
      check(QueryTypes.SUMMARY_METRICS.rows(answer).get(0).pageviews() == 7, "a column");
      check(QueryTypes.SUMMARY_METRICS.rows(answer).get(0).sessions() == null, "one that is null");
      check(QueryTypes.TOP_PAGES.named("few").rows(answer).size() == 1, "a type under another name");
      int messages = 0;
      try (var stream = lookout.watch("shop", q -> q.addParameters(QueryTypes.TOP_PAGES.parameter()))) {
        for (var message : stream) messages += QueryTypes.TOP_PAGES.rows(message).size();
      }
      check(messages == 3, "a watch that ends");
      var none = errorOf(() -> QueryTypes.ACTIVE_STATS.ask(lookout, "shop", q -> {}));
      check(none.code().equals(LookoutException.NOT_IMPLEMENTED) && none.getMessage().contains("rows(QueryTypes.ACTIVE_STATS"), none.toString());
    }
  }

  static Map<String, ?> page(String path) {
    return Map.of("path", path, "name", path, "views", 1, "pageviews", 1L, "visitors", 1, "percentage", 33.3);
  }

  static void events() {
    var test = new TestLookout();
    try (var lookout = test.builder().events(EventOptions.usual().withFlushInterval(Duration.ofMillis(1))).build()) {
      lookout.track("shop", e -> e.setName("order"));
      lookout.events("shop").track(e -> e.setName("signed_up").setProperties(Map.of("plan", "pro")));
      lookout.events("shop").flush(Duration.ofSeconds(10));
    }
    check(test.events().stream().map(each -> each.getName()).toList().equals(List.of("order", "signed_up")), test.events().toString());
    check(test.events().get(1).getPropertiesMap().equals(Map.of("plan", "pro")), "its properties");
  }

  // What Lookout would refuse or never answer is found where the test or the program gives it.
  static void mistakes() {
    var test = new TestLookout();
    check(refusalOf(() -> test.answer("links.creteLink")).contains("Did you mean links.createLink?"), "a call");
    check(refusalOf(() -> test.answer("links.createLink", GetLinkResponse.getDefaultInstance())).contains("not a lookout.v1.CreateLinkResponse"), "an answer of another call");
    check(refusalOf(() -> test.answer("links.createLink", CreateLinkResponse.getDefaultInstance())).contains("link is required"), "an answer without its object");
    check(refusalOf(() -> test.answer("links.createLink")).contains("answers once"), "no answer");
    var monitors = ListMonitorsResponse.newBuilder().addMonitors(Monitor.newBuilder().setInterval("7 parsecs")).build();
    check(refusalOf(() -> test.answer("uptime.listMonitors", monitors)).contains("monitors[0].interval must be one of"), "a value of an answer");
    check(refusalOf(() -> test.rows(QueryTypes.TOP_PAGES, Map.of("pth", "/"))).contains("no column pth. Did you mean path?"), "a column");
    check(refusalOf(() -> test.rows(QueryTypes.ACTIVE_STATS, Map.of("active_users", 2.5, "active_sessions", 1))).contains("active_users must be of the kind integer"), "a kind");
    check(refusalOf(() -> test.rows(QueryTypes.ACTIVE_STATS, Map.of("active_users", 2))).contains("active_sessions is missing"), "a column that is missing");
    test.answer("links.getLink", GetLinkRequest.class, asked -> CreateLinkResponse.getDefaultInstance());
    try (Lookout lookout = test.client()) {
      var wrong = errorOf(() -> lookout.links().getLink(l -> l.setId("l1")));
      check(wrong.code().equals(LookoutException.BAD_ANSWER) && wrong.getMessage().contains("not one of Lookout"), wrong.toString());
      var preset = errorOf(() -> lookout.query("shop", q -> q.setPreset("yesterdayy").addParameters(QueryTypes.TOP_PAGES.parameter())));
      check(preset.code().equals(LookoutException.INVALID_DATE_PRESET) && preset.details().get(0).field().equals("preset"), preset.toString());
      check("yesterday".equals(preset.details().get(0).suggestion()), preset.details().toString());
      test.fail("links.listLinks", LookoutException.of(LookoutException.RATE_LIMIT_EXCEEDED, "Too many", Duration.ofSeconds(3)));
      var limited = errorOf(() -> lookout.links().listLinks());
      check(Duration.ofSeconds(3).equals(limited.retryAfter()) && limited.isTemporary(), limited.toString());
      var monitor = CreateMonitorRequest.newBuilder().setWebsiteId("shop").setInterval("5mn");
      var refused = errorOf(() -> lookout.uptime().createMonitor(monitor.build()));
      var fields = new HashMap<String, String>();
      refused.details().forEach(each -> fields.put(each.field(), each.suggestion()));
      check(refused.code().equals(LookoutException.VALIDATION_ERROR) && fields.containsKey("url"), refused.details().toString());
      check(Interval.MINUTES_5.equals(fields.get("interval")), fields.toString());
    }
  }

  // Every service of the client and every query type is known by the name that programs use.
  static void names() throws Exception {
    var test = new TestLookout();
    try (var lookout = test.client()) {
      int services = 0;
      for (var accessor : Lookout.class.getMethods()) {
        if (!accessor.getReturnType().getSimpleName().endsWith("Service")) continue;
        services++;
        for (var call : accessor.getReturnType().getDeclaredMethods()) {
          boolean isPlain = call.getParameterCount() == 1 && com.google.protobuf.Message.class.isAssignableFrom(call.getReturnType());
          if (!isPlain || !Modifier.isPublic(call.getModifiers()) || call.getParameterTypes()[0] == java.util.function.Consumer.class) continue;
          test.fail(accessor.getName() + "." + call.getName(), LookoutException.of("TEST", "known"));
        }
      }
      check(services == 18, services + " services");
    }
    for (var field : QueryTypes.class.getFields())
      if (field.get(null) instanceof QueryType<?> type) test.rows(type);
  }

  static String refusalOf(Runnable call) {
    try {
      call.run();
    } catch (IllegalArgumentException refused) {
      return refused.getMessage();
    }
    throw new AssertionError("it should have been refused");
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
