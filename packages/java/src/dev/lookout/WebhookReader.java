package dev.lookout;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads a webhook's body whose signature is right. */
final class WebhookReader {
  private WebhookReader() {}

  static WebhookEvent read(String id, JsonObject message) {
    String type = message.get("type").getAsString();
    Instant at = time(message.get("timestamp"));
    JsonObject data = message.getAsJsonObject("data");
    return switch (type) {
      case "incident.opened" -> new WebhookEvent.IncidentOpened(id, at, monitor(data), incident(data));
      case "incident.escalated" -> new WebhookEvent.IncidentEscalated(
          id, at, monitor(data), incident(data), data.get("afterMinutes").getAsInt());
      case "incident.resolved" -> new WebhookEvent.IncidentResolved(id, at, monitor(data), incident(data));
      case "certificate.expiring" -> new WebhookEvent.CertificateExpiring(
          id, at, monitor(data), time(data.getAsJsonObject("certificate").get("expiresAt")));
      case "test" -> new WebhookEvent.Test(id, at, data.get("text").getAsString());
      default -> new WebhookEvent.Unknown(id, at, type, data.toString());
    };
  }

  private static WebhookEvent.Monitor monitor(JsonObject data) {
    JsonObject monitor = data.getAsJsonObject("monitor");
    return new WebhookEvent.Monitor(
        monitor.get("id").getAsString(),
        monitor.get("name").getAsString(),
        monitor.get("url").getAsString(),
        monitor.get("websiteId").getAsString());
  }

  private static WebhookEvent.Incident incident(JsonObject data) {
    JsonObject incident = data.getAsJsonObject("incident");
    List<String> regions = new ArrayList<>();
    for (JsonElement region : incident.getAsJsonArray("regions")) regions.add(region.getAsString());
    JsonElement resolvedAt = incident.get("resolvedAt");
    return new WebhookEvent.Incident(
        incident.get("id").getAsString(),
        incident.has("url") ? incident.get("url").getAsString() : null,
        time(incident.get("startedAt")),
        resolvedAt.isJsonNull() ? null : time(resolvedAt),
        incident.get("durationMs").getAsLong(),
        incident.get("firstError").getAsString(),
        incident.get("checksAffected").getAsInt(),
        List.copyOf(regions));
  }

  private static Instant time(JsonElement text) {
    return Instant.parse(text.getAsString());
  }
}
