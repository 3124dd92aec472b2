package dev.lookout;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.lookout.Webhooks.InvalidWebhookException.Reason;
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

    /** Why a message is refused. */
    public enum Reason {
      /** A header of a webhook is missing: somebody else called. */
      NO_HEADERS,
      /** It is not from the channel with this secret, or was changed. */
      SIGNATURE,
      /** It was sent at a time too far from now: it may be a replay. */
      TIME,
      /** It is signed, but its body is not one of Lookout. */
      BODY
    }

    private final Reason reason;

    InvalidWebhookException(Reason reason, String message, Throwable cause) {
      super(message, cause);
      this.reason = reason;
    }

    /** Why it is refused; never null. */
    public Reason reason() {
      return reason;
    }
  }

  private final SecretKeySpec key;
  private final Duration tolerance;
  private final Clock clock;

  /**
   * Receives messages of the last {@link #DEFAULT_TOLERANCE}.
   *
   * @param secret the channel's, with whsec_ before it
   * @throws IllegalArgumentException if the secret is null, empty or no base64
   */
  public Webhooks(String secret) {
    this(secret, DEFAULT_TOLERANCE, Clock.systemUTC());
  }

  /**
   * Receives messages.
   *
   * @param secret the channel's, with whsec_ before it
   * @throws IllegalArgumentException if the secret is null, empty or no base64
   */
  public Webhooks(String secret, Duration tolerance, Clock clock) {
    this.key = new SecretKeySpec(bytesOf(secret), "HmacSHA256");
    this.tolerance = tolerance;
    this.clock = clock;
  }

  /** The secret is never a part of a message. */
  private static byte[] bytesOf(String secret) {
    String text = secret == null ? "" : secret.strip();
    String base64 = text.startsWith("whsec_") ? text.substring("whsec_".length()) : text;
    if (base64.isEmpty())
      throw new IllegalArgumentException("The secret is null or empty. Take the channel's, which begins with whsec_");
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException invalid) {
      throw new IllegalArgumentException("The secret is no base64. Take the channel's, which begins with whsec_", invalid);
    }
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
    if (id.isEmpty() || sent.isEmpty() || textOf(header.apply("webhook-signature")).isEmpty())
      throw new InvalidWebhookException(
          Reason.NO_HEADERS, "It has no webhook-id, webhook-timestamp or webhook-signature. Pass the headers as they were received", null);
    byte[] right = signature(id, sent, body).getBytes(StandardCharsets.UTF_8);
    boolean isRight = false;
    for (String each : textOf(header.apply("webhook-signature")).split(" "))
      isRight |= MessageDigest.isEqual(each.getBytes(StandardCharsets.UTF_8), right);
    if (!isRight)
      throw new InvalidWebhookException(
          Reason.SIGNATURE, "The signature does not match. Check the channel's secret, and pass the body as it was received", null);
    try {
      Duration distance = Duration.between(Instant.ofEpochSecond(Long.parseLong(sent)), clock.instant()).abs();
      if (distance.compareTo(tolerance) > 0)
        throw new InvalidWebhookException(
            Reason.TIME, "It was sent at a time too far from now. It may be a replay, or check this machine's clock", null);
      return WebhookReader.read(id, JsonParser.parseString(new String(body, StandardCharsets.UTF_8)).getAsJsonObject());
    } catch (JsonParseException | IllegalStateException | NullPointerException | NumberFormatException | DateTimeException error) {
      throw new InvalidWebhookException(Reason.BODY, "The body is not one of Lookout", error);
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
