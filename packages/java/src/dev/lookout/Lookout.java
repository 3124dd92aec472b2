package dev.lookout;

import dev.lookout.v1.FlatEvent;
import dev.lookout.v1.Query;
import dev.lookout.v1.QueryAnswer;
import dev.lookout.v1.WatchResponse;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
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
    ownChannel = options.channel == null ? options.openChannel() : null;
    calls =
        new Calls(
            options.channel == null ? ownChannel : options.channel,
            options.baseUrl,
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
    Query.Builder asked = Calls.filled(Query.newBuilder(), query);
    return queries().query(request -> request.setWebsiteId(websiteId).setQuery(asked)).getSingle();
  }

  /** Answers a query of a website now, and again when new events have changed the answer. Each query type finds its rows in a message. */
  public LookoutStream<WatchResponse> watch(String websiteId, Consumer<Query.Builder> query) {
    Query.Builder asked = Calls.filled(Query.newBuilder(), query);
    return queries().watch(request -> request.setWebsiteId(websiteId).setQuery(asked));
  }

  /**
   * Sends events, each of which counts once however often a try is repeated: {@code track(website, e -> e.setName("signup"))}. The view of a
   * page is the event {@code page_view}, with a path.
   *
   * @throws LookoutException VALIDATION_ERROR if the service took all but some, which the details name by their index: {@code events[2]}
   */
  @SafeVarargs
  public final void track(String websiteId, Consumer<FlatEvent.Builder>... events) {
    track(websiteId, Stream.of(events).map(event -> Calls.filled(FlatEvent.newBuilder(), event).build()).toList());
  }

  /** Sends as many events as there are: see {@link #track(String, Consumer[])}. */
  public void track(String websiteId, List<FlatEvent> events) {
    Batches.send(ingest(), websiteId, events);
  }

  public ApiKeyService apiKeys() {
    return new ApiKeyService(calls);
  }

  public AuditService auditLog() {
    return new AuditService(calls);
  }

  public DataService data() {
    return new DataService(calls);
  }

  /** Waits for exports, and downloads them by their ids. */
  public Exports exports() {
    return new Exports(data());
  }

  public FunnelService funnels() {
    return new FunnelService(calls);
  }

  public IngestService ingest() {
    return new IngestService(calls);
  }

  public LinkService links() {
    return new LinkService(calls);
  }

  public LlmCallService llmCalls() {
    return new LlmCallService(calls);
  }

  public MaintenanceWindowService maintenanceWindows() {
    return new MaintenanceWindowService(calls);
  }

  public NotificationChannelService notificationChannels() {
    return new NotificationChannelService(calls);
  }

  public QueryService queries() {
    return new QueryService(calls);
  }

  public ScriptErrorService scriptErrors() {
    return new ScriptErrorService(calls);
  }

  public SegmentService segments() {
    return new SegmentService(calls);
  }

  public SharedDashboardService sharedDashboards() {
    return new SharedDashboardService(calls);
  }

  public StatusPageService statusPage() {
    return new StatusPageService(calls);
  }

  public StatusReportService statusReports() {
    return new StatusReportService(calls);
  }

  public UptimeService uptime() {
    return new UptimeService(calls);
  }

  public VitalService vitals() {
    return new VitalService(calls);
  }

  public WebsiteService websites() {
    return new WebsiteService(calls);
  }

  /**
   * Closes the connection. Calls and streams that are under way fail with {@link LookoutException#CANCELLED}. Of a client with a channel
   * of one's own it ends the streams only.
   */
  @Override
  public void close() {
    calls.close();
    if (ownChannel != null) ownChannel.shutdownNow();
  }
}
