// What a program with dev.lookout:lookout-client sees on a bad day. The test compiles and runs it outside the repository.
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.lookout.Json;
import dev.lookout.Lookout;
import dev.lookout.LookoutException;
import dev.lookout.RequestOptions;
import dev.lookout.Webhooks;
import dev.lookout.Webhooks.InvalidWebhookException.Reason;
import dev.lookout.v1.BatchRequest;
import dev.lookout.v1.CustomEvent;
import dev.lookout.v1.DeleteLinkRequest;
import dev.lookout.v1.Event;
import dev.lookout.v1.FlatEvent;
import dev.lookout.v1.GetLinkRequest;
import dev.lookout.v1.OutgoingLinkPayload;
import dev.lookout.v1.TrackPayload;
import dev.lookout.v1.TrackRequest;
import dev.lookout.v1.WatchRequest;
import dev.lookout.values.Interval;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

public class BadDay {
  static final GetLinkRequest LINK = GetLinkRequest.getDefaultInstance();

  public static void main(String[] args) {
    events();
    deletions();
    lostAnswers();
    connections();
    watches();
    silence();
    addresses();
    webhooks();
    downloads();
    json();
    noJson();
    System.out.println("done");
  }

  static Lookout with(String key) {
    return new Lookout(System.getenv("BAD_DAY"), key);
  }

  // Events without an id get one, so that they are sent again and counted once.
  static void events() {
    var track = TrackRequest.newBuilder().addEvents(CustomEvent.newBuilder().setName("order")).build();
    try (var lookout = with("lost track java")) {
      var status = lookout.ingest().track(track).getStatus();
      check(status.equals("2 of 1"), "the same ids twice: " + status);
    }
    var batch =
        BatchRequest.newBuilder()
            .addEvents(Event.newBuilder().setFlat(FlatEvent.getDefaultInstance()))
            .addEvents(Event.newBuilder().setTrack(TrackPayload.getDefaultInstance()))
            .addEvents(Event.newBuilder().setOutgoingLink(OutgoingLinkPayload.getDefaultInstance()));
    try (var lookout = with("lost batch java")) {
      var status = lookout.ingest().batch(batch.build()).getStatus();
      check(status.equals("2 of 1"), "the same ids in a batch: " + status);
    }
  }

  // What a lost try has deleted is deleted; what never was is not found.
  static void deletions() {
    try (var lookout = with("lost delete java")) {
      check(lookout.links().deleteLink(DeleteLinkRequest.getDefaultInstance()).getSuccess(), "deleted by the lost try");
    }
    try (var lookout = with("gone java")) {
      var error = errorOf(() -> lookout.links().deleteLink(DeleteLinkRequest.getDefaultInstance()));
      check(error.code().equals(LookoutException.NOT_FOUND), "nothing to delete: " + error);
    }
  }

  // A lost answer is not a service that is down, and Retry-After may be a date.
  static void lostAnswers() {
    try (var lookout = with("always java")) {
      var error = errorOf(() -> lookout.links().getLink(LINK));
      check(error.code().equals(LookoutException.BAD_ANSWER), "lost: " + error);
      check(error.getMessage().contains("may have been carried out"), "lost: " + error);
    }
    try (var lookout = with("late java")) {
      lookout.links().getLink(LINK);
    }
    try (var lookout = with("late java 2")) {
      var error = errorOf(() -> lookout.links().getLink(LINK, RequestOptions.none().withMaxRetries(0)));
      check(error.retryAfter() != null, "a date in Retry-After: " + error);
    }
    try (var lookout = with("agent java")) {
      var agents = new ArrayList<String>();
      lookout.links().getLink(LINK, RequestOptions.none().withOnAnswer(answer -> agents.add(answer.headers().get("x-agent"))));
      check(agents.get(0).startsWith("lookout-java/0.0.1 "), "the client's name: " + agents);
    }
  }

  // The message names the cause, in one line.
  static void connections() {
    for (var each :
        Map.of(
                "http://127.0.0.1:9", "Connection refused",
                "http://lookout.invalid", "no such host",
                System.getenv("BAD_DAY").replace("http:", "https:"), "does not speak TLS",
                System.getenv("SECURE").replace("https:", "http:"), "perhaps it speaks TLS and the address begins with https://")
            .entrySet()) {
      try (var lookout = Lookout.builder(each.getKey()).maxRetries(0).build()) {
        var error = errorOf(() -> lookout.links().getLink(LINK));
        check(error.code().equals(LookoutException.UNREACHABLE) && error.getMessage().contains(each.getValue()), error.toString());
        check(!error.getMessage().contains("\n") && !error.getMessage().contains("Pipeline"), error.toString());
      }
    }
    try (var lookout = new Lookout(System.getenv("BROKEN"), "other")) {
      var error = errorOf(() -> lookout.links().getLink(LINK, RequestOptions.none().withMaxRetries(0)));
      check(error.getMessage().contains("is not Lookout") && !error.getMessage().contains("<html>") && !error.isTemporary(), error.toString());
    }
  }

  // A watch goes on after a failure, tells it, and its loop ends when the program closes it.
  static void watches() {
    var told = new ArrayList<String>();
    var telling = RequestOptions.none().withOnReconnect((failure, wait) -> told.add(failure.code()));
    int messages = 0;
    boolean isEnded = false;
    try (var lookout = with("watch java");
        var stream = lookout.queries().watch(WatchRequest.getDefaultInstance(), telling)) {
      for (var message : stream) {
        if (++messages < 2) continue;
        CompletableFuture.runAsync(stream::close);
      }
      isEnded = !stream.iterator().hasNext();
    }
    check(isEnded && messages == 2 && told.equals(List.of("SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE")), messages + " " + told);
    try (var lookout = with("watch refused java");
        var stream = lookout.queries().watch(WatchRequest.getDefaultInstance())) {
      check(errorOf(() -> stream.iterator().next()).code().equals(LookoutException.SERVICE_UNAVAILABLE), "refused at opening");
    }
  }

  // A connection that has died without a word is noticed, and a watch opens another one.
  static void silence() {
    var told = new ArrayList<String>();
    var telling = RequestOptions.none().withOnReconnect((failure, wait) -> told.add(failure.code()));
    var silent = Lookout.builder(System.getenv("BAD_DAY_SILENT")).apiKey("watch silent java");
    try (var lookout = silent.keepAlive(Duration.ofSeconds(10), Duration.ofMillis(500)).build();
        var stream = lookout.queries().watch(WatchRequest.getDefaultInstance(), telling)) {
      for (var message : stream) if (!told.isEmpty()) break;
    }
    check(!told.isEmpty(), "the silence was noticed");
    // By the signs of life, which a loop does not see, where pings are answered.
    told.clear();
    int answers = 0;
    try (var lookout = with("watch quiet java");
        var stream = lookout.queries().watch(WatchRequest.newBuilder().setKeepAliveSeconds(1).build(), telling)) {
      for (var message : stream) {
        check(message.hasAnswer(), "a message with an answer");
        if (++answers == 2) break;
      }
    }
    check(told.equals(List.of("TIMEOUT", "SERVICE_UNAVAILABLE")), "another connection after the quiet one: " + told);
    // Also when no such sign has ever come.
    told.clear();
    answers = 0;
    try (var lookout = with("watch silent still java");
        var stream = lookout.queries().watch(WatchRequest.newBuilder().setKeepAliveSeconds(1).build(), telling)) {
      CompletableFuture.delayedExecutor(20, TimeUnit.SECONDS).execute(stream::close);
      for (var message : stream) if (++answers == 2) break;
    }
    check(told.equals(List.of("TIMEOUT", "SERVICE_UNAVAILABLE")), "another connection after one answer and nothing more: " + told);
    // A stream that is alive but does not answer is late.
    try (var lookout = with("watch mute java");
        var stream = lookout.queries().watch(WatchRequest.getDefaultInstance(), RequestOptions.none().withTimeout(Duration.ofMillis(300)))) {
      check(errorOf(() -> stream.iterator().next()).code().equals(LookoutException.TIMEOUT), "no answer");
    }
  }

  // A download that breaks off, or of which nothing more comes, goes on where it was; a path has a whole file or the one that was there.
  static void downloads() {
    var whole = "PK first second";
    var path = Path.of("bad-day.zip");
    try (var lookout = new Lookout(System.getenv("BAD_DAY"), "exports java", Duration.ofSeconds(1))) {
      for (String export : List.of("broken java", "stalled java", "cut java", "old java")) {
        var file = new ByteArrayOutputStream();
        lookout.exports().download(export, file);
        check(file.toString().equals(whole), export + ": " + file);
      }
      lookout.exports().save("broken java to a path", path, Duration.ofSeconds(10));
      check(Files.readString(path).equals(whole), Files.readString(path));
      for (String export : List.of("changed", "ahead java")) {
        var error = errorOf(() -> save(lookout, export, path));
        check(error.code().equals(LookoutException.BAD_ANSWER), error.toString());
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    for (var each : Map.of("broken java at last", "SERVICE_UNAVAILABLE", "stalled java at last", LookoutException.TIMEOUT).entrySet()) {
      var never = Lookout.builder(System.getenv("BAD_DAY")).apiKey("exports java once").timeout(Duration.ofSeconds(1)).maxRetries(0);
      try (var lookout = never.build()) {
        var error = errorOf(() -> save(lookout, each.getKey(), path));
        check(error.code().equals(each.getValue()), each.getKey() + ": " + error);
      }
    }
    try {
      check(Files.readString(path).equals(whole), "the file that was there");
      check(!Files.exists(Path.of("bad-day.zip.part")), "nothing beside it");
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  static void save(Lookout lookout, String export, Path path) {
    try {
      lookout.exports().save(export, path, Duration.ofSeconds(10));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  // JSON is what it was when it is read: whole numbers are Long.
  static void json() {
    var given = new HashMap<String, Object>();
    given.put("seats", 3);
    given.put("most", 1L << 53);
    given.put("price", 9.5);
    given.put("share", 0.1f);
    given.put("cents", new BigDecimal("12.25"));
    given.put("codes", new int[] {1, 2});
    given.put("nothing", null);
    given.put("maybe", Optional.of("yes"));
    given.put("inner", Map.of("count", BigInteger.TWO, "tags", List.of("a", true)));
    var expected = new HashMap<String, Object>();
    expected.put("seats", 3L);
    expected.put("most", 9_007_199_254_740_992L);
    expected.put("price", 9.5);
    expected.put("share", 0.1);
    expected.put("cents", 12.25);
    expected.put("codes", List.of(1L, 2L));
    expected.put("nothing", null);
    expected.put("maybe", "yes");
    expected.put("inner", Map.of("count", 2L, "tags", List.of("a", true)));
    var event = FlatEvent.newBuilder().setProperties(given).build();
    check(event.getPropertiesMap().equals(expected), event.getPropertiesMap().toString());
    check(FlatEvent.getDefaultInstance().getPropertiesMap() == null, "no properties");
    check(Json.plain(Json.value(1e300)).equals(1e300) && Json.plain(Json.value(-2.0)).equals(-2L), "whole numbers that fit");
  }

  // What JSON does not have is refused where it is given, by its name, and blocks no other event.
  static void noJson() {
    var itself = new HashMap<String, Object>();
    itself.put("itself", itself);
    record Refused(Object value, String message) {}
    try (var lookout = with("no json java")) {
      var queue = lookout.events("shop");
      queue.track(e -> e.setName("before"));
      for (var each :
          List.of(
              new Refused(Double.NaN, "price is NaN"),
              new Refused(Float.POSITIVE_INFINITY, "price is Infinity"),
              new Refused(new BigDecimal("1e400"), "price is 1E+400"),
              new Refused(9_007_199_254_740_993L, "price is 9007199254740993, which JSON's numbers of 64 bits would round to 9007199254740992"),
              new Refused(List.of(1, Map.of("each", Double.NEGATIVE_INFINITY)), "price[1].each is -Infinity"),
              new Refused(itself, "price is more than 100 deep"))) {
        var refused = refusalOf(() -> queue.track(e -> e.setName("order").setProperties(Map.of("price", each.value()))));
        check(refused.contains(each.message()), refused);
      }
      // Messages that the caller has made himself.
      var made = Struct.newBuilder().putFields("price", Value.newBuilder().setNumberValue(Double.NaN).build());
      check(refusalOf(() -> queue.track(e -> e.setProperties(made))).startsWith("properties.price is NaN"), "a message in the queue");
      check(refusalOf(() -> queue.track(e -> e.setTimestamp(Double.NaN))).startsWith("timestamp is NaN"), "a field in the queue");
      check(refusalOf(() -> lookout.track("shop", e -> e.setName("a"), e -> e.setProperties(made))).startsWith("events[1].properties.price is NaN"), "a call");
      var track = TrackRequest.newBuilder().addEvents(CustomEvent.newBuilder().setProperties(made));
      check(refusalOf(() -> lookout.ingest().track(track.build())).startsWith("events[0].properties.price is NaN"), "any request");
      // So is null, by its name.
      Map<String, Object> nothing = null;
      check(refusalOf(() -> lookout.track(null, e -> e.setName("a"))).equals("websiteId is null"), "track");
      check(refusalOf(() -> lookout.query(null, q -> {})).equals("websiteId is null"), "query");
      check(refusalOf(() -> lookout.watch("shop", (ZoneId) null, q -> {})).equals("timezone is null"), "watch");
      check(refusalOf(() -> lookout.events(null)).equals("websiteId is null"), "a queue");
      check(refusalOf(() -> lookout.track("shop", e -> e.setProperties(nothing))).equals("properties is null"), "a setter");
      queue.track(e -> e.setName("after"));
      queue.flush(Duration.ofSeconds(20));
    }
  }

  static String refusalOf(Runnable call) {
    try {
      call.run();
    } catch (IllegalArgumentException | NullPointerException refused) {
      return refused.getMessage();
    }
    throw new AssertionError("the call should have been refused");
  }

  record Wrong(String address, String key, String part) {}

  // What is wrong with an address or a key is said when the client is made.
  static void addresses() {
    for (var each :
        List.of(
            new Wrong(null, "key", "empty or null"),
            new Wrong("", "key", "empty or null"),
            new Wrong("lookout.example.com", "key", "Did you mean https://lookout.example.com?"),
            new Wrong("127.0.0.1:8080", "key", "Did you mean http://127.0.0.1:8080?"),
            new Wrong("https://lookout.example.com/sub", "key", "without /sub"),
            new Wrong("https://lookout.example.com", "secret\nkey", "one line"))) {
      try {
        new Lookout(each.address, each.key).close();
        check(false, "refused: " + each);
      } catch (IllegalArgumentException wrong) {
        check(wrong.getMessage().contains(each.part) && !wrong.getMessage().contains("secret"), wrong.getMessage());
      }
    }
    check(refusalOf(() -> RequestOptions.none().withMaxRetries(-1)).equals("maxRetries must be 0 or more, not -1"), "retries of a call");
    check(refusalOf(() -> Lookout.builder("http://lookout.example.com").maxRetries(-1)).contains("-1"), "retries of a client");
    new Lookout(System.getenv("BAD_DAY") + "/", "key\n").close();
    check(Interval.MINUTES_5.equals("5m") && Interval._5M.equals("5m"), "names of intervals");
  }

  // A webhook that is refused says why.
  static void webhooks() {
    var webhooks = new Webhooks("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    var body = "{}".getBytes();
    var old = webhooks.sign("msg", Instant.now().minusSeconds(600), body);
    var now = webhooks.sign("msg", Instant.now(), body);
    check(reasonOf(webhooks, Map.of(), body) == Reason.NO_HEADERS, "no headers");
    check(reasonOf(webhooks, now, "{ }".getBytes()) == Reason.SIGNATURE, "a changed body");
    check(reasonOf(webhooks, old, body) == Reason.TIME, "a replay");
    check(reasonOf(webhooks, now, body) == Reason.BODY, "another body");
    for (String secret : new String[] {null, "", "whsec_", "whsec_!!"}) {
      try {
        new Webhooks(secret);
        check(false, "refused: " + secret);
      } catch (IllegalArgumentException wrong) {
        check(wrong.getMessage().startsWith("The secret is"), wrong.getMessage());
      }
    }
  }

  static Reason reasonOf(Webhooks webhooks, Map<String, String> headers, byte[] body) {
    try {
      webhooks.parse(headers::get, body);
    } catch (Webhooks.InvalidWebhookException refused) {
      return refused.reason();
    }
    throw new AssertionError("the webhook should have been refused");
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
