package dev.lookout;

import dev.lookout.v1.FlatEvent;
import dev.lookout.v1.Query;
import dev.lookout.v1.QueryAnswer;
import dev.lookout.v1.WatchResponse;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The client of Lookout: web analytics, uptime monitoring and short links behind one typed API, over gRPC. It has all services that
 * take an API key; their messages are in {@code dev.lookout.v1}. Every call throws a {@link LookoutException}. One client serves all
 * threads.
 */
public final class Lookout implements AutoCloseable {
  /** How long a call may take: 5 s more than the service takes at most for a query. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(35);

  /** How often a call is repeated that may be. */
  public static final int DEFAULT_MAX_RETRIES = 2;

  private final ManagedChannel ownChannel;
  private final Calls calls;
  private final EventOptions eventOptions;
  private final Map<String, EventQueue> queues = new ConcurrentHashMap<>();

  /**
   * Makes a client with the {@link #DEFAULT_TIMEOUT}.
   *
   * @param baseUrl the address of Lookout, such as https://lookout.example.com
   * @param apiKey a key with the scopes that the calls need, or null
   * @throws IllegalArgumentException if baseUrl is no address with http:// or https:// and without a path, or apiKey is not one line
   */
  public Lookout(String baseUrl, String apiKey) {
    this(builder(baseUrl).apiKey(apiKey));
  }

  /**
   * Makes a client.
   *
   * @param baseUrl the address of Lookout, such as https://lookout.example.com
   * @param apiKey a key with the scopes that the calls need, or null
   * @param timeout of each call, and of a stream until its first message
   * @throws IllegalArgumentException if baseUrl is no address with http:// or https:// and without a path, or apiKey is not one line
   */
  public Lookout(String baseUrl, String apiKey, Duration timeout) {
    this(builder(baseUrl).apiKey(apiKey).timeout(timeout));
  }

  Lookout(LookoutBuilder options) {
    eventOptions = options.eventOptions;
    ownChannel = options.channel == null ? options.openChannel() : null;
    calls =
        new Calls(
            options.channel == null ? ownChannel : options.channel,
            options.way(),
            options.apiKey,
            options.timeout,
            options.maxRetries);
  }

  /** A client with further options. */
  public static LookoutBuilder builder(String baseUrl) {
    return new LookoutBuilder(baseUrl);
  }

  /**
   * Answers a query of a website: {@code query(website, q -> q.setPreset("today").addParameters(QueryTypes.TOP_PAGES.parameter()))}. Each
   * query type finds its rows in the answer.
   */
  public QueryAnswer query(String websiteId, Consumer<Query.Builder> query) {
    return query(websiteId, ZoneOffset.UTC, query, RequestOptions.none());
  }

  /** The same with options of the call: {@link #query(String, Consumer)}. */
  public QueryAnswer query(String websiteId, Consumer<Query.Builder> query, RequestOptions options) {
    return query(websiteId, ZoneOffset.UTC, query, options);
  }

  /** The same with the days and hours of a time zone instead of those of UTC: {@link #query(String, Consumer)}. */
  public QueryAnswer query(String websiteId, ZoneId timezone, Consumer<Query.Builder> query) {
    return query(websiteId, timezone, query, RequestOptions.none());
  }

  /** The same with a time zone and options: {@link #query(String, Consumer)}. */
  public QueryAnswer query(String websiteId, ZoneId timezone, Consumer<Query.Builder> query, RequestOptions options) {
    Calls.given(websiteId, "websiteId");
    Calls.given(timezone, "timezone");
    Query.Builder asked = Calls.filled(Query.newBuilder(), Calls.given(query, "query"));
    return queries().query(r -> r.setWebsiteId(websiteId).setTimezone(timezoneText(timezone)).setQuery(asked), options).getSingle();
  }

  /** Answers a query of a website now, and again when new events have changed the answer. Each query type finds its rows in a message. */
  public LookoutStream<WatchResponse> watch(String websiteId, Consumer<Query.Builder> query) {
    return watch(websiteId, ZoneOffset.UTC, query, RequestOptions.none());
  }

  /** The same with options, such as {@link RequestOptions#withOnReconnect}: {@link #watch(String, Consumer)}. */
  public LookoutStream<WatchResponse> watch(String websiteId, Consumer<Query.Builder> query, RequestOptions options) {
    return watch(websiteId, ZoneOffset.UTC, query, options);
  }

  /** The same with the days and hours of a time zone instead of those of UTC: {@link #watch(String, Consumer)}. */
  public LookoutStream<WatchResponse> watch(String websiteId, ZoneId timezone, Consumer<Query.Builder> query) {
    return watch(websiteId, timezone, query, RequestOptions.none());
  }

  /** The same with a time zone and options: {@link #watch(String, Consumer)}. */
  public LookoutStream<WatchResponse> watch(
      String websiteId, ZoneId timezone, Consumer<Query.Builder> query, RequestOptions options) {
    Calls.given(websiteId, "websiteId");
    Calls.given(timezone, "timezone");
    Query.Builder asked = Calls.filled(Query.newBuilder(), Calls.given(query, "query"));
    return queries().watch(r -> r.setWebsiteId(websiteId).setTimezone(timezoneText(timezone)).setQuery(asked), options);
  }

  private static String timezoneText(ZoneId timezone) {
    return timezone.equals(ZoneOffset.UTC) ? "UTC" : timezone.getId();
  }

  /**
   * Sends events and waits for the answer. Each counts once however often a try is repeated: {@code track(website, e ->
   * e.setName("signed_up"))}. The view of a page is the event {@code page_view}, with a path. It gives up like every call; {@link #events}
   * goes on until the events have arrived.
   *
   * @throws LookoutException VALIDATION_ERROR if the service took all but some, which the details name by their index: {@code events[2]}
   * @throws IllegalArgumentException if a number is NaN or infinite, with its name: {@code events[2].properties.price}, or websiteId is
   *     null. None is sent then
   */
  @SafeVarargs
  public final void track(String websiteId, Consumer<FlatEvent.Builder>... events) {
    track(websiteId, Stream.of(events).map(event -> Calls.filled(FlatEvent.newBuilder(), event).build()).toList());
  }

  /** Sends as many events as there are: see {@link #track(String, Consumer[])}. */
  public void track(String websiteId, List<FlatEvent> events) {
    track(websiteId, events, RequestOptions.none());
  }

  /** The same with options of each call: {@link #track(String, Consumer[])}. */
  public void track(String websiteId, List<FlatEvent> events, RequestOptions options) {
    Batches.send(ingest(), Calls.given(websiteId, "websiteId"), Calls.given(events, "events"), options);
  }

  /** The events of a website that are sent in the background, again until they have arrived: the same queue for each call. */
  public EventQueue events(String websiteId) {
    return queues.computeIfAbsent(Calls.given(websiteId, "websiteId"), id -> new EventQueue(ingest(), id, eventOptions));
  }

  /** Keys of the API. */
  public ApiKeyService apiKeys() {
    return new ApiKeyService(calls);
  }

  /** Who has changed what. */
  public AuditService auditLog() {
    return new AuditService(calls);
  }

  /** Exports and erasures of data. */
  public DataService data() {
    return new DataService(calls);
  }

  /** Waits for exports, and downloads them by their ids. */
  public Exports exports() {
    return new Exports(data(), calls.maxRetries);
  }

  /** Funnels, and how far visitors get in them. */
  public FunnelService funnels() {
    return new FunnelService(calls);
  }

  /** Events as single calls; {@link #track} and {@link #events} are shorter. */
  public IngestService ingest() {
    return new IngestService(calls);
  }

  /** Short links, their QR codes and clicks. */
  public LinkService links() {
    return new LinkService(calls);
  }

  /** Takes what calls of language models cost. */
  public LlmCallService llmCalls() {
    return new LlmCallService(calls);
  }

  /** Times in which monitors make no incidents. */
  public MaintenanceWindowService maintenanceWindows() {
    return new MaintenanceWindowService(calls);
  }

  /** Where incidents are told. */
  public NotificationChannelService notificationChannels() {
    return new NotificationChannelService(calls);
  }

  /** Queries with requests of their own; {@link #query} and {@link #watch} are shorter. */
  public QueryService queries() {
    return new QueryService(calls);
  }

  /** Takes errors of scripts in pages. */
  public ScriptErrorService scriptErrors() {
    return new ScriptErrorService(calls);
  }

  /** Saved filters. */
  public SegmentService segments() {
    return new SegmentService(calls);
  }

  /** Secret links to chosen panels of a website. */
  public SharedDashboardService sharedDashboards() {
    return new SharedDashboardService(calls);
  }

  /** The state of services, as data and as public pages. */
  public StatusPageService statusPage() {
    return new StatusPageService(calls);
  }

  /** Reports on status pages. */
  public StatusReportService statusReports() {
    return new StatusReportService(calls);
  }

  /** Monitors, their checks and incidents. */
  public UptimeService uptime() {
    return new UptimeService(calls);
  }

  /** Takes how fast pages were for visitors. */
  public VitalService vitals() {
    return new VitalService(calls);
  }

  /** Websites and their settings. */
  public WebsiteService websites() {
    return new WebsiteService(calls);
  }

  /**
   * Sends the events that wait, for 5 s at most ({@link EventOptions#closeTimeout}), and closes the connection. Calls and streams that are
   * under way fail with {@link LookoutException#CANCELLED}. Of a client with a channel of one's own it sends events and ends streams only.
   */
  @Override
  public void close() {
    queues.values().forEach(EventQueue::close);
    calls.close();
    if (ownChannel != null) ownChannel.shutdownNow();
  }
}
