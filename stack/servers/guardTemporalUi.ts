import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream";
import { isLoopbackHost } from "../../src/text/loopbackHost.ts";

export type UiGuard = { close(): void };

/**
 * Passes requests on to the Web UI of Temporal. Protects it from DNS rebinding, where a page's host name is given the address of
 * this computer: the Host header must be a name of this computer, or that of TEMPORAL_UI, which a reverse proxy passes on.
 */
export async function guardTemporalUi(
  port: number,
  uiUrl: string,
  target: { readonly address: string; readonly port: number },
): Promise<UiGuard> {
  const agent = new Agent({ keepAlive: true });
  const publicHost = new URL(uiUrl).host;
  const server = createServer((incoming, response) => {
    const { host } = incoming.headers;
    if (!isLoopbackHost(host) && host !== publicHost)
      return refuse(
        incoming,
        response,
        403,
        "Set TEMPORAL_UI to the address under which you open the Temporal Web UI.\n",
      );
    try {
      pass(incoming, response, target, agent);
    } catch {
      // Node cannot send every path and header that it can read.
      refuse(incoming, response, 400, "This request cannot be passed on.\n");
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, resolve);
  });
  // A failure of one connection must not end the supervisor.
  server.on("error", () => undefined);
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  { address, port }: { readonly address: string; readonly port: number },
  agent: Agent,
): void {
  const { method, url, headers } = incoming;
  const sent = request({ agent, host: address, port, method, path: url, headers: endToEnd(headers) });
  sent.once("error", () => refuse(incoming, response, 502, "The Temporal Web UI does not answer.\n"));
  sent.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    pipeline(answer, response, () => undefined);
  });
  response.once("close", () => sent.destroy());
  pipeline(incoming, sent, () => undefined);
}

/** The `connection` header holds for one hop only (RFC 9110, section 7.6.1). */
function endToEnd({ connection, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers;
}

function refuse(incoming: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  incoming.resume();
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(text);
}
