import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lookout.WebhookEvent;
import dev.lookout.Webhooks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** Receives the alerts of a webhook channel and prints them. The channel's target is the address of this program, behind HTTPS. */
public class AlertReceiver {
  private static final Webhooks WEBHOOKS = new Webhooks(System.getenv("WEBHOOK_SECRET"));

  /** A message whose answer is lost comes again with the same id. A receiver that restarts keeps them in a database. */
  private static final Set<String> SEEN = Collections.synchronizedSet(new LinkedHashSet<>());

  public static void main(String[] args) throws IOException {
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
    server.createContext("/", AlertReceiver::receive);
    server.start();
    System.out.println("alerts at http://127.0.0.1:" + server.getAddress().getPort());
  }

  static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(statusOf(exchange), -1);
    }
  }

  static int statusOf(HttpExchange exchange) throws IOException {
    var body = exchange.getRequestBody().readAllBytes();
    try {
      WebhookEvent event = WEBHOOKS.parse(exchange.getRequestHeaders()::getFirst, body);
      if (SEEN.add(event.id())) System.out.println(textOf(event));
      return 204;
    } catch (Webhooks.InvalidWebhookException refused) {
      return 400;
    }
  }

  static String textOf(WebhookEvent event) {
    if (event instanceof WebhookEvent.IncidentOpened opened)
      return opened.monitor().name() + " is down: " + opened.incident().firstError();
    if (event instanceof WebhookEvent.IncidentEscalated escalated)
      return escalated.monitor().name() + " is still down after " + escalated.afterMinutes() + " minutes";
    if (event instanceof WebhookEvent.IncidentResolved resolved)
      return resolved.monitor().name() + " works again, after " + resolved.incident().durationMs() / 1_000 + " s";
    if (event instanceof WebhookEvent.CertificateExpiring expiring)
      return "The certificate of " + expiring.monitor().name() + " ends at " + expiring.expiresAt();
    if (event instanceof WebhookEvent.Test test) return test.text();
    return "Something new of Lookout: " + event;
  }
}
