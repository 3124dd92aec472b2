package dev.lookout;

import java.time.Instant;
import java.util.List;

/** What a webhook tells: one of the records here. */
public sealed interface WebhookEvent {
  /** The header webhook-id. A repeat of the same message has the same one, so a receiver that has seen it can skip it. */
  String id();

  /** When it happened. Messages that waited can arrive after later ones. */
  Instant timestamp();

  /** A monitor's checks fail. */
  record IncidentOpened(String id, Instant timestamp, Monitor monitor, Incident incident) implements WebhookEvent {}

  /** An incident is still open and not acknowledged, so many minutes after it opened. */
  record IncidentEscalated(String id, Instant timestamp, Monitor monitor, Incident incident, int afterMinutes)
      implements WebhookEvent {}

  /** An incident is over. */
  record IncidentResolved(String id, Instant timestamp, Monitor monitor, Incident incident) implements WebhookEvent {}

  /** The certificate of a monitor's address ends soon. */
  record CertificateExpiring(String id, Instant timestamp, Monitor monitor, Instant expiresAt) implements WebhookEvent {}

  /** The message of a test of the channel. */
  record Test(String id, Instant timestamp, String text) implements WebhookEvent {}

  /**
   * An event that a later version of Lookout sends.
   *
   * @param data its content as JSON
   */
  record Unknown(String id, Instant timestamp, String type, String data) implements WebhookEvent {}

  /**
   * What is checked.
   *
   * @param url its address without the query
   */
  record Monitor(String id, String name, String url, String websiteId) {}

  /**
   * A time in which a monitor's checks failed.
   *
   * @param url its page in the web app
   * @param resolvedAt null while it is open
   * @param durationMs how long it lasted until the message, or in all, ms
   */
  record Incident(
      String id,
      String url,
      Instant startedAt,
      Instant resolvedAt,
      long durationMs,
      String firstError,
      int checksAffected,
      List<String> regions) {}
}
