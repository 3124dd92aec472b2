package dev.lookout.testing;

import com.google.protobuf.Message;
import dev.lookout.Lookout;
import dev.lookout.LookoutBuilder;
import dev.lookout.LookoutException;
import dev.lookout.QueryType;
import dev.lookout.v1.BatchRequest;
import dev.lookout.v1.BatchResponse;
import dev.lookout.v1.Event;
import dev.lookout.v1.FlatEvent;
import dev.lookout.v1.QueryRequest;
import dev.lookout.v1.QueryResponse;
import dev.lookout.v1.WatchRequest;
import dev.lookout.v1.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * A Lookout without a service, for tests: its {@link #client} is answered from memory, and {@link #calls} are the calls that were made.
 *
 * <pre>{@code
 * var test = new TestLookout()
 *     .answer("links.createLink", CreateLinkResponse.newBuilder().setLink(Link.newBuilder().setSlug("summer")).build())
 *     .rows(QueryTypes.ACTIVE_STATS, Map.of("active_users", 2, "active_sessions", 2));
 * var lookout = test.client();
 * }</pre>
 *
 * Requests and answers are compared with the contract, so that a test does not pass with what Lookout would refuse or never answer: the call
 * and the type of its answer, fields that are required, values that are in a list, columns of rows. A request that is wrong fails with
 * VALIDATION_ERROR (with a wrong preset, INVALID_DATE_PRESET), and a call without an answer with NOT_IMPLEMENTED. Events are taken. All
 * threads may use it.
 */
public final class TestLookout {
  private final Map<String, Function<Message, List<? extends Message>>> answers = new ConcurrentHashMap<>();
  private final List<TestCall> calls = new CopyOnWriteArrayList<>();
  private final TestRows rows = new TestRows();

  /** Without answers: calls fail with NOT_IMPLEMENTED, which says what to add. */
  public TestLookout() {}

  /**
   * Answers a call always alike.
   *
   * @param call such as {@code links.createLink}, for {@code lookout.links().createLink(…)}
   * @param messages one answer, or of a stream all of them, after which it ends
   * @throws IllegalArgumentException if there is no such call, or it does not answer so
   */
  public TestLookout answer(String call, Message... messages) {
    List<Message> all = List.of(messages);
    check(call, all);
    answers.put(call, request -> all);
    return this;
  }

  /**
   * Answers a call with what a function makes of its request. It may throw a {@link LookoutException}: see {@link LookoutException#of}. With
   * an answer that Lookout would never give the call fails with BAD_ANSWER.
   *
   * @param call such as {@code links.createLink}, for {@code lookout.links().createLink(…)}
   * @param request the type of the call's request
   * @throws IllegalArgumentException if there is no such call
   */
  public <Q extends Message> TestLookout answer(String call, Class<Q> request, Function<Q, ? extends Message> answer) {
    Contract.call(call);
    answers.put(
        call,
        sent -> {
          if (!request.isInstance(sent))
            throw new IllegalArgumentException(call + " has a " + sent.getClass().getSimpleName() + ", not a " + request.getSimpleName());
          List<Message> one = List.of(answer.apply(request.cast(sent)));
          check(call, one);
          return one;
        });
    return this;
  }

  /**
   * Lets a call fail.
   *
   * @param call such as {@code links.createLink}, for {@code lookout.links().createLink(…)}
   * @param failure see {@link LookoutException#of}
   * @throws IllegalArgumentException if there is no such call
   */
  public TestLookout fail(String call, LookoutException failure) {
    Contract.call(call);
    answers.put(
        call,
        request -> {
          throw failure;
        });
    return this;
  }

  /**
   * Answers queries and watches of a type with rows, by the names of columns. Columns that may be null may be left out. The limit and the page
   * of a query choose among the rows; its range and its filters do not.
   *
   * @throws IllegalArgumentException for a row that Lookout would not answer
   */
  @SafeVarargs
  public final TestLookout rows(QueryType<?> type, Map<String, ?>... rows) {
    this.rows.put(type.name(), List.of(rows));
    return this;
  }

  /** A client that is answered by this. It does not repeat calls. */
  public Lookout client() {
    return builder().build();
  }

  /** A client that is answered by this, with further options, such as those of events. */
  public LookoutBuilder builder() {
    return Lookout.builder("http://test.invalid").apiKey("test").maxRetries(0).channel(new MemoryChannel(this::answered));
  }

  /** The calls that were made, in their order, those that were refused too. */
  public List<TestCall> calls() {
    return List.copyOf(calls);
  }

  /** The requests of one type that were made, in their order. */
  public <Q extends Message> List<Q> requests(Class<Q> type) {
    return calls.stream().map(TestCall::request).filter(type::isInstance).map(type::cast).toList();
  }

  /** The events that were sent with {@code lookout.track} and {@code lookout.events}; those of a queue after its {@code flush}. */
  public List<FlatEvent> events() {
    return requests(BatchRequest.class).stream()
        .flatMap(batch -> batch.getEventsList().stream())
        .filter(Event::hasFlat)
        .map(Event::getFlat)
        .toList();
  }

  private List<? extends Message> answered(String method, Message request) {
    String call = Contract.nameOf(method);
    calls.add(new TestCall(call, request));
    var problems = Contract.problemsOfRequest(request);
    if (!problems.isEmpty()) {
      String message = problems.get(0).field() + " " + problems.get(0).message();
      boolean isOfPresets = problems.stream().allMatch(problem -> problem.field().equals("preset"));
      String code = isOfPresets ? LookoutException.INVALID_DATE_PRESET : LookoutException.VALIDATION_ERROR;
      throw LookoutException.of(code, message, problems.toArray(LookoutException.Detail[]::new));
    }
    var given = answers.get(call);
    return given == null ? List.of(usualAnswer(call, request)) : given.apply(request);
  }

  private Message usualAnswer(String call, Message request) {
    if (request instanceof QueryRequest query && query.hasQuery())
      return QueryResponse.newBuilder().setSingle(rows.answer(query.getQuery())).build();
    if (request instanceof WatchRequest watch) return WatchResponse.newBuilder().setAnswer(rows.answer(watch.getQuery())).build();
    if (request instanceof BatchRequest batch) {
      var answer = BatchResponse.newBuilder().setStatus("success").setBatch(true).setProcessed(batch.getEventsCount());
      for (int index = 0; index < batch.getEventsCount(); index++) answer.addResultsBuilder().setStatus("success");
      return answer.build();
    }
    throw LookoutException.of(
        LookoutException.NOT_IMPLEMENTED, "The test has no answer for %s: call answer(\"%s\", …) of TestLookout".formatted(call, call));
  }

  private static void check(String name, List<? extends Message> messages) {
    Contract.Call call = Contract.call(name);
    if (!call.streams() && messages.size() != 1)
      throw new IllegalArgumentException(name + " answers once, not " + messages.size() + " times");
    var problems = new ArrayList<String>();
    for (Message message : messages) {
      String type = message.getDescriptorForType().getFullName();
      if (!type.equals(call.answer())) problems.add("it is a " + type + ", not a " + call.answer());
      else for (var problem : Contract.problemsOfAnswer(message)) problems.add(problem.field() + " " + problem.message());
    }
    if (!problems.isEmpty())
      throw new IllegalArgumentException("The test's answer of " + name + " is not one of Lookout: " + String.join("; ", problems));
  }
}
