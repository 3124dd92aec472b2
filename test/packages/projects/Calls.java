// What a service does with dev.lookout:lookout-client. The test compiles and runs it outside the repository.
import com.google.protobuf.Value;
import dev.lookout.Lookout;
import dev.lookout.LookoutException;
import dev.lookout.QueryTypes;
import dev.lookout.RequestOptions;
import dev.lookout.WebhookEvent;
import dev.lookout.Webhooks;
import dev.lookout.v1.BatchRequest;
import dev.lookout.v1.CreateExportRequest;
import dev.lookout.v1.CreateLinkRequest;
import dev.lookout.v1.Event;
import dev.lookout.v1.FlatEvent;
import dev.lookout.v1.ListLinksRequest;
import dev.lookout.v1.Query;
import dev.lookout.v1.QueryAnswer;
import dev.lookout.v1.QueryFilter;
import dev.lookout.v1.QueryParameter;
import dev.lookout.v1.QueryRequest;
import dev.lookout.v1.WatchRequest;
import dev.lookout.values.DatePreset;
import dev.lookout.values.ExportFormat;
import dev.lookout.values.ExportedData;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipInputStream;

public class Calls {
  static final String BASE = System.getenv("BASE");
  static final String KEY = System.getenv("KEY");
  static final String WEBSITE = System.getenv("WEBSITE");
  static final String PATH = "/java";

  public static void main(String[] args) {
    try (var lookout = new Lookout(BASE, KEY)) {
      sendAndQuery(lookout);
      refused(lookout);
      pages(lookout);
      exports(lookout);
    }
    failures();
    retries();
    otherWays();
    webhooks();
    Example.main(args);
    System.out.println("done");
  }

  static Query query(QueryParameter... parameters) {
    var ofPath = QueryFilter.newBuilder().setField("path").setOp("eq").setValue(Value.newBuilder().setStringValue(PATH));
    return Query.newBuilder().setPreset(DatePreset.TODAY).addAllParameters(List.of(parameters)).addFilters(ofPath).build();
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
    var age = Duration.between(session.firstVisit(), Instant.now());
    check(age.compareTo(Duration.ofHours(1)) < 0 && session.events().size() == 1, "a time and an array");
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
    check("top_pages".equals(unknown.details().get(0).suggestion()) && !unknown.isTemporary(), "the suggestion alone");
    check(unknown.details().get(0).message().contains("did you mean \"top_pages\"?"), "the suggestion");

    var filter = QueryFilter.newBuilder().setField("contry").setOp("eq").setValue(Value.newBuilder().setStringValue("DE"));
    var misspelt = Query.newBuilder().setPreset("today").addParameters(QueryTypes.TOP_PAGES.parameter()).addFilters(filter);
    var request = QueryRequest.newBuilder().setWebsiteId(WEBSITE).setQuery(misspelt).build();
    var filtered = lookout.queries().query(request).getSingle();
    var details = errorOf(() -> QueryTypes.TOP_PAGES.rows(filtered)).details();
    check(details.get(0).field().equals("filters[0].field") && details.get(0).suggestion().equals("country"), "a misspelt filter: " + details);

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
            new Failure("cut answer", broken, "cut", LookoutException.BAD_ANSWER, "may have been carried out"),
            new Failure("reset answer", broken, "reset", LookoutException.BAD_ANSWER, "may have been carried out"),
            new Failure("another server", broken, "other", LookoutException.BAD_ANSWER, "Check the address"),
            new Failure("a proxy", broken, "proxy", "SERVICE_UNAVAILABLE", "A proxy"),
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

  // Calls that fail for a while are made again where that is allowed.
  static void retries() {
    var query = QueryRequest.getDefaultInstance();
    var tries = new ArrayList<String>();
    var counted = RequestOptions.none().withOnAnswer(answer -> tries.add(answer.headers().get("x-tries")));
    try (var lookout = unreliable("busy java")) {
      lookout.queries().query(query, counted);
      check(tries.equals(List.of("3")), "the third try is answered: " + tries);
    }
    try (var lookout = unreliable("busy java 2")) {
      var error = errorOf(() -> lookout.queries().query(query, RequestOptions.none().withMaxRetries(0)));
      check(error.code().equals("SERVICE_UNAVAILABLE") && error.isTemporary(), "without retries");
      check(error.retryAfter().equals(Duration.ofMillis(50)), "the time to wait");
    }
    try (var lookout = unreliable("far java")) {
      check(errorOf(() -> lookout.queries().query(query)).retryAfter().equals(Duration.ofSeconds(61)), "a wait that is too long");
    }
    try (var lookout = unreliable("lost create java")) {
      var created = lookout.links().createLink(CreateLinkRequest.getDefaultInstance()).getLink().getSlug();
      check(created.equals("1 of 2"), "two tries with one key: " + created);
    }
  }

  static Lookout unreliable(String key) {
    return new Lookout(System.getenv("UNRELIABLE"), key);
  }

  // Without waiting, with a channel of one's own, and ending what is under way.
  static void otherWays() {
    var request =
        QueryRequest.newBuilder().setWebsiteId(WEBSITE).setQuery(query(QueryTypes.TOP_PAGES.parameter())).build();
    var address = URI.create(BASE);
    var channel =
        Grpc.newChannelBuilderForAddress(address.getHost(), address.getPort(), InsecureChannelCredentials.create()).build();
    try (var lookout = Lookout.builder(BASE).apiKey(KEY).channel(channel).build()) {
      var ids = new ArrayList<String>();
      var options = RequestOptions.none().withHeader("x-test", "1").withOnAnswer(answer -> ids.add(answer.requestId()));
      var views = lookout.queries().queryAsync(request, options).thenApply(each -> QueryTypes.TOP_PAGES.rows(each.getSingle()));
      check(views.join().get(0).views() == 1 && ids.get(0).startsWith("req_"), "an answer that nobody waited for, with its id");
      var wrong = QueryRequest.newBuilder().setWebsiteId("wrong").setQuery(request.getQuery()).build();
      var failed = lookout.queries().queryAsync(wrong).handle((answer, error) -> error);
      check(failed.join() instanceof LookoutException, "a LookoutException: " + failed.join());
    }
    check(!channel.isShutdown(), "the channel stays open");
    channel.shutdownNow();
    try (var lookout = new Lookout(System.getenv("BROKEN"), "hang")) {
      var soon = RequestOptions.none().withTimeout(Duration.ofMillis(100));
      check(errorOf(() -> lookout.queries().query(request, soon)).code().equals(LookoutException.TIMEOUT), "the timeout of a call");
      var cancelled = lookout.queries().queryAsync(request);
      cancelled.cancel(true);
      check(cancelled.isCancelled(), "a cancelled call");
    }
    var watching = unreliable("watch java");
    var messages = watching.queries().watch(WatchRequest.getDefaultInstance()).iterator();
    messages.next();
    var closing = CompletableFuture.runAsync(watching::close, CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));
    check(errorOf(messages::next).code().equals(LookoutException.CANCELLED), "closing the client ends its streams");
    closing.join();
  }

  // Lists are gone through page by page.
  static void pages(Lookout lookout) {
    for (String once : List.of("one", "two", "two", "three")) {
      var link = CreateLinkRequest.newBuilder().setWebsiteId(WEBSITE).setTargetUrl("https://example.com").build();
      lookout.links().createLink(link, RequestOptions.none().withIdempotencyKey(WEBSITE + once));
    }
    var links = lookout.links().allLinks(ListLinksRequest.newBuilder().setWebsiteId(WEBSITE).setLimit(2).build());
    check(links.stream().filter(link -> link.getTargetUrl().startsWith("https://example.com")).count() == 3, "all links");
    var today = QueryRequest.newBuilder().setWebsiteId(WEBSITE).setQuery(Query.newBuilder().setPreset("today").setLimit(2));
    for (var page : QueryTypes.TOP_PAGES.all(lookout, today.build())) check(page.views() > 0, "a row");
  }

  // An export is waited for and downloaded by its id.
  static void exports(Lookout lookout) {
    var today = LocalDate.now(ZoneOffset.UTC).toString();
    var request =
        CreateExportRequest.newBuilder()
            .setWebsiteId(WEBSITE)
            .setStartDate(today)
            .setEndDate(today)
            .setFormat(ExportFormat.CSV)
            .addDataTypes(ExportedData.EVENTS);
    var id = lookout.data().createExport(request.build()).getExportId();
    lookout.exports().await(id, Duration.ofMinutes(2));
    var file = new ByteArrayOutputStream();
    try {
      lookout.exports().download(id, file);
      check(new ZipInputStream(new ByteArrayInputStream(file.toByteArray())).getNextEntry() != null, "files in the archive");
      var saved = Path.of("saved.zip");
      lookout.exports().save(id, saved, Duration.ofMinutes(2));
      check(Arrays.equals(Files.readAllBytes(saved), file.toByteArray()), "the same file");
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    var none = errorOf(() -> lookout.exports().await("00000000-0000-4000-8000-000000000000", Duration.ZERO));
    check(none.code().equals(LookoutException.NOT_FOUND), "no such export: " + none);
    check(none.getMessage().contains(" data().listExports lists a website's"), "a call by its name: " + none);
  }

  static void webhooks() {
    var at = Instant.now();
    var secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    var webhooks = new Webhooks(secret);
    var later = new Webhooks(secret, Webhooks.DEFAULT_TOLERANCE, Clock.fixed(at.plusSeconds(360), ZoneOffset.UTC));
    for (var type : List.of("incident.opened", "incident.escalated", "incident.resolved", "certificate.expiring", "test")) {
      var body = Webhooks.sample(type);
      var headers = webhooks.sign("msg_1", at, body);
      try {
        var event = webhooks.parse(headers::get, body);
        check(event.id().equals("msg_1") && !(event instanceof WebhookEvent.Unknown), type);
        if (event instanceof WebhookEvent.IncidentEscalated escalated) {
          check(escalated.afterMinutes() == 15 && escalated.incident().resolvedAt() == null, type);
          check(escalated.monitor().name().equals("Shop"), type);
        }
      } catch (Webhooks.InvalidWebhookException error) {
        throw new AssertionError(error);
      }
      check(isRefused(webhooks, headers, Arrays.copyOf(body, body.length + 1)), "a changed body");
      check(isRefused(later, headers, body), "a replay");
    }
    // The signature of the specification of Standard Webhooks.
    var signed = webhooks.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", Instant.ofEpochSecond(1614265330), "{\"test\": 2432232314}".getBytes());
    check(signed.get("webhook-signature").equals("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="), "the signature");
  }

  static boolean isRefused(Webhooks webhooks, Map<String, String> headers, byte[] body) {
    try {
      webhooks.parse(headers::get, body);
      return false;
    } catch (Webhooks.InvalidWebhookException refused) {
      return true;
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
