package dev.lookout;

import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.net.URI;
import java.time.Duration;

/** The options of a client. {@link #build} makes it. */
public final class LookoutBuilder {
  final String baseUrl;
  String apiKey;
  Duration timeout = Lookout.DEFAULT_TIMEOUT;
  int maxRetries = Lookout.DEFAULT_MAX_RETRIES;
  Channel channel;
  private ChannelCredentials credentials;

  LookoutBuilder(String baseUrl) {
    this.baseUrl = baseUrl;
  }

  /** A key with the scopes that the calls need. */
  public LookoutBuilder apiKey(String apiKey) {
    this.apiKey = apiKey;
    return this;
  }

  /** The timeout of each call with all its tries, and of a stream until its first message. */
  public LookoutBuilder timeout(Duration timeout) {
    this.timeout = timeout;
    return this;
  }

  /**
   * How often a call is repeated that fails for a while: those whose contract says that they may be, and creating calls, with an
   * idempotency key. 0 means never.
   */
  public LookoutBuilder maxRetries(int maxRetries) {
    this.maxRetries = maxRetries;
    return this;
  }

  /** For a certificate authority of one's own: {@code TlsChannelCredentials.newBuilder().trustManager(pem).build()}. */
  public LookoutBuilder credentials(ChannelCredentials credentials) {
    this.credentials = credentials;
    return this;
  }

  /**
   * A channel of one's own, for a proxy, a Unix socket, keep-alive or interceptors. It takes the place of the credentials, and stays open
   * when the client is closed. Answers may be larger than the 4 MB that grpc allows by itself.
   */
  public LookoutBuilder channel(Channel channel) {
    this.channel = channel;
    return this;
  }

  /**
   * Makes the client.
   *
   * @throws IllegalArgumentException if baseUrl is no address with http:// or https://
   */
  public Lookout build() {
    return new Lookout(this);
  }

  ManagedChannel openChannel() {
    URI url = URI.create(baseUrl);
    boolean isSecure = "https".equals(url.getScheme());
    if (url.getHost() == null || !(isSecure || "http".equals(url.getScheme())))
      throw new IllegalArgumentException("baseUrl must begin with http:// or https:// and name a host, not " + baseUrl);
    if (credentials != null && !isSecure)
      throw new IllegalArgumentException("credentials need a baseUrl with https://, not " + baseUrl);
    int port = url.getPort() >= 0 ? url.getPort() : isSecure ? 443 : 80;
    ChannelCredentials usual = isSecure ? TlsChannelCredentials.create() : InsecureChannelCredentials.create();
    return Grpc.newChannelBuilderForAddress(url.getHost(), port, credentials == null ? usual : credentials)
        // A query may answer more than the usual 4 MB.
        .maxInboundMessageSize(Integer.MAX_VALUE)
        .build();
  }
}
