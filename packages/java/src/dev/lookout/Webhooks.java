package dev.lookout;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Receives what a notification channel of the kind webhook sends, signed as Standard Webhooks specifies:
 *
 * <pre>{@code
 * WebhookEvent event = new Webhooks(secret).parse(request::getHeader, body);
 * if (event instanceof WebhookEvent.IncidentOpened opened) page(opened.monitor().name());
 * }</pre>
 */
public final class Webhooks {
  /** How far a message's time may be from the receiver's. */
  public static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

  /** The message is not from the channel with this secret, was changed, or was sent at a time too far from now. Answer 400. */
  public static final class InvalidWebhookException extends Exception {
    private static final long serialVersionUID = 1;

    InvalidWebhookException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final SecretKeySpec key;
  private final Duration tolerance;
  private final Clock clock;

  /**
   * Receives messages of the last {@link #DEFAULT_TOLERANCE}.
   *
   * @param secret the channel's, with whsec_ before it
   * @throws IllegalArgumentException if the secret is no base64
   */
  public Webhooks(String secret) {
    this(secret, DEFAULT_TOLERANCE, Clock.systemUTC());
  }

  /**
   * Receives messages.
   *
   * @param secret the channel's, with whsec_ before it
   * @throws IllegalArgumentException if the secret is no base64
   */
  public Webhooks(String secret, Duration tolerance, Clock clock) {
    byte[] bytes = Base64.getDecoder().decode(secret.startsWith("whsec_") ? secret.substring(6) : secret);
    this.key = new SecretKeySpec(bytes, "HmacSHA256");
    this.tolerance = tolerance;
    this.clock = clock;
  }

  /**
   * Verifies and reads a message.
   *
   * @param header finds a header by its name; null without one
   * @param body the bytes that were received
   */
  public WebhookEvent parse(UnaryOperator<String> header, byte[] body) throws InvalidWebhookException {
    String id = textOf(header.apply("webhook-id"));
    String sent = textOf(header.apply("webhook-timestamp"));
    byte[] right = signature(id, sent, body).getBytes(StandardCharsets.UTF_8);
    boolean isRight = false;
    for (String each : textOf(header.apply("webhook-signature")).split(" "))
      isRight |= MessageDigest.isEqual(each.getBytes(StandardCharsets.UTF_8), right);
    if (!isRight)
      throw new InvalidWebhookException(
          "The signature does not match. Check the channel's secret, and pass the body as it was received", null);
    try {
      Duration distance = Duration.between(Instant.ofEpochSecond(Long.parseLong(sent)), clock.instant()).abs();
      if (distance.compareTo(tolerance) > 0)
        throw new InvalidWebhookException(
            "It was sent at a time too far from now. It may be a replay, or check this machine's clock", null);
      return WebhookReader.read(id, JsonParser.parseString(new String(body, StandardCharsets.UTF_8)).getAsJsonObject());
    } catch (JsonParseException | IllegalStateException | NullPointerException | NumberFormatException | DateTimeException error) {
      throw new InvalidWebhookException("The body is not one of Lookout", error);
    }
  }

  /** The headers of a message, for tests of a receiver. */
  public Map<String, String> sign(String id, Instant sentAt, byte[] body) {
    String sent = String.valueOf(sentAt.getEpochSecond());
    return Map.of("webhook-id", id, "webhook-timestamp", sent, "webhook-signature", signature(id, sent, body));
  }

  /**
   * The body of a message, for tests of a receiver.
   *
   * @param type such as incident.opened
   * @throws IllegalArgumentException if there is no such type
   */
  public static byte[] sample(String type) {
    try (InputStream file = Webhooks.class.getResourceAsStream("webhook-samples.json")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      JsonObject sample = JsonParser.parseString(text).getAsJsonObject().getAsJsonObject(type);
      if (sample == null) throw new IllegalArgumentException("There are no webhooks of the type " + type);
      return sample.toString().getBytes(StandardCharsets.UTF_8);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private String signature(String id, String sent, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      mac.update((id + "." + sent + ".").getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  private static String textOf(String header) {
    return header == null ? "" : header;
  }
}
