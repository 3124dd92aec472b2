package dev.lookout;

import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.HttpConnectProxiedSocketAddress;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The options of a client. {@link #build} makes it. */
public final class LookoutBuilder {
  final String baseUrl;
  String apiKey;
  Duration timeout = Lookout.DEFAULT_TIMEOUT;
  int maxRetries = Lookout.DEFAULT_MAX_RETRIES;
  Channel channel;
  EventOptions eventOptions = EventOptions.usual();
  private ChannelCredentials credentials;
  private String credentialsBy = "credentials";
  private InetSocketAddress proxy;
  private Duration pingAfter = Duration.ofSeconds(20);
  private Duration pingTimeout = Duration.ofSeconds(10);

  LookoutBuilder(String baseUrl) {
    this.baseUrl = baseUrl == null ? "" : baseUrl.strip();
  }

  /**
   * A key with the scopes that the calls need.
   *
   * @throws IllegalArgumentException if it is not one line of printable ASCII characters
   */
  public LookoutBuilder apiKey(String apiKey) {
    this.apiKey = checkedKey(apiKey);
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
   *
   * @throws IllegalArgumentException if it is negative
   */
  public LookoutBuilder maxRetries(int maxRetries) {
    this.maxRetries = RequestOptions.checkedRetries(maxRetries);
    return this;
  }

  /**
   * Trusts the certificate authorities in a PEM file instead of those of Java.
   *
   * @throws UncheckedIOException if it cannot be read
   * @throws IllegalArgumentException if it has no certificate
   */
  public LookoutBuilder trust(Path pem) {
    try {
      if (!isCertificate(pem)) throw new IllegalArgumentException(pem + " has no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----");
      credentials = TlsChannelCredentials.newBuilder().trustManager(pem.toFile()).build();
      credentialsBy = "trust";
      return this;
    } catch (IOException unreadable) {
      throw new UncheckedIOException("The certificates in " + pem + " cannot be read", unreadable);
    }
  }

  /** How the events of {@link Lookout#events} wait to be sent. */
  public LookoutBuilder events(EventOptions options) {
    this.eventOptions = options;
    return this;
  }

  /** A proxy for HTTP's CONNECT. By default that of the system property https.proxyHost. */
  public LookoutBuilder proxy(String host, int port) {
    this.proxy = new InetSocketAddress(host, port);
    return this;
  }

  /** Credentials of TLS, such as those with a certificate of the client. */
  public LookoutBuilder credentials(ChannelCredentials credentials) {
    this.credentials = credentials;
    this.credentialsBy = "credentials";
    return this;
  }

  /**
   * How long a connection with calls or streams may be silent before the service is asked whether it is there, 20 s by default and 10 s at
   * least, and how long it may take to answer, 10 s by default. Then the calls fail, and are repeated where they may be.
   */
  public LookoutBuilder keepAlive(Duration silence, Duration timeout) {
    this.pingAfter = silence;
    this.pingTimeout = timeout;
    return this;
  }

  /**
   * A channel of one's own, for a Unix socket or interceptors. It takes the place of the credentials, and stays open
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

  private static boolean isCertificate(Path pem) throws IOException {
    try (var file = Files.newInputStream(pem)) {
      return !CertificateFactory.getInstance("X.509").generateCertificates(file).isEmpty();
    } catch (CertificateException invalid) {
      return false;
    }
  }

  /** The key without spaces around it. It is never a part of a message. */
  private static String checkedKey(String apiKey) {
    String key = apiKey == null ? null : apiKey.strip();
    if (key != null && !key.chars().allMatch(letter -> letter >= ' ' && letter <= '~'))
      throw new IllegalArgumentException("apiKey must be one line of printable ASCII characters. Copy the key again");
    return key;
  }

  private URI checkedUrl() {
    String needed = "baseUrl must be an address that begins with http:// or https://, such as https://lookout.example.com";
    if (baseUrl.isEmpty()) throw new IllegalArgumentException(needed + "; it is empty or null");
    URI url;
    try {
      url = new URI(baseUrl);
    } catch (URISyntaxException invalid) {
      throw new IllegalArgumentException(needed + ", not " + baseUrl + suggestion(), invalid);
    }
    if (url.getHost() == null || !("https".equals(url.getScheme()) || "http".equals(url.getScheme())))
      throw new IllegalArgumentException(needed + ", not " + baseUrl + suggestion());
    if (url.getUserInfo() != null)
      throw new IllegalArgumentException("baseUrl must not hold a name or a password: pass an apiKey");
    String rest = url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
    if (!rest.isEmpty() && !rest.equals("/"))
      throw new IllegalArgumentException("baseUrl must end with the host or the port, without " + rest + ": gRPC has no paths before its own");
    return url;
  }

  /** The address as messages name it. */
  String way() {
    return proxy == null || channel != null ? baseUrl : "%s through the proxy %s:%d".formatted(baseUrl, proxy.getHostString(), proxy.getPort());
  }

  private String suggestion() {
    if (baseUrl.contains("://")) return "";
    return ". Did you mean " + (baseUrl.matches("(?:localhost|127\\.|\\[::1\\]).*") ? "http://" : "https://") + baseUrl + "?";
  }

  ManagedChannel openChannel() {
    URI url = checkedUrl();
    boolean isSecure = "https".equals(url.getScheme());
    if (credentials != null && !isSecure)
      throw new IllegalArgumentException(credentialsBy + "(…) needs a baseUrl with https://, not " + baseUrl);
    int port = url.getPort() >= 0 ? url.getPort() : isSecure ? 443 : 80;
    ChannelCredentials usual = isSecure ? TlsChannelCredentials.create() : InsecureChannelCredentials.create();
    var channel = Grpc.newChannelBuilderForAddress(url.getHost(), port, credentials == null ? usual : credentials);
    if (proxy != null)
      channel.proxyDetector(
          target ->
              HttpConnectProxiedSocketAddress.newBuilder().setProxyAddress(proxy).setTargetAddress((InetSocketAddress) target).build());
    return channel
        // A query may answer more than the usual 4 MB.
        .maxInboundMessageSize(Integer.MAX_VALUE)
        .userAgent("lookout-java/" + Version.TEXT)
        .keepAliveTime(pingAfter.toNanos(), TimeUnit.NANOSECONDS)
        .keepAliveTimeout(pingTimeout.toNanos(), TimeUnit.NANOSECONDS)
        .build();
  }
}
