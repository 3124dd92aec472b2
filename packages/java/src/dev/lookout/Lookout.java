package dev.lookout;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.net.URI;
import java.time.Duration;

/**
 * The client of Lookout: web analytics, uptime monitoring and short links behind one typed API, over gRPC. It has all services that
 * take an API key; their messages are in {@code dev.lookout.v1}. Every call throws a {@link LookoutException}. One client serves all
 * threads.
 */
public final class Lookout implements AutoCloseable {
  /** How long a call may take: 5 s more than the service takes at most for a query. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(35);

  private final ManagedChannel channel;
  private final Calls calls;

  /**
   * Makes a client with the {@link #DEFAULT_TIMEOUT}.
   *
   * @param baseUrl the address of Lookout, such as https://lookout.example.com
   * @param apiKey a key with the scopes that the calls need, or null
   */
  public Lookout(String baseUrl, String apiKey) {
    this(baseUrl, apiKey, DEFAULT_TIMEOUT);
  }

  /**
   * Makes a client.
   *
   * @param baseUrl the address of Lookout, such as https://lookout.example.com
   * @param apiKey a key with the scopes that the calls need, or null
   * @param timeout of each call, and of a stream until its first message
   * @throws IllegalArgumentException if baseUrl is no address with http:// or https://
   */
  public Lookout(String baseUrl, String apiKey, Duration timeout) {
    URI url = URI.create(baseUrl);
    boolean isSecure = "https".equals(url.getScheme());
    if (url.getHost() == null || !(isSecure || "http".equals(url.getScheme())))
      throw new IllegalArgumentException("baseUrl must begin with http:// or https:// and name a host, not " + baseUrl);
    int port = url.getPort() >= 0 ? url.getPort() : isSecure ? 443 : 80;
    ChannelCredentials credentials = isSecure ? TlsChannelCredentials.create() : InsecureChannelCredentials.create();
    channel =
        Grpc.newChannelBuilderForAddress(url.getHost(), port, credentials)
            // A query may answer more than the usual 4 MB.
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .build();
    calls = new Calls(channel, baseUrl, apiKey, timeout);
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

  /** Closes the connection. Calls that are under way fail. */
  @Override
  public void close() {
    channel.shutdownNow();
  }
}
