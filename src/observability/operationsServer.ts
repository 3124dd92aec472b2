import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { isLoopbackAddress, isLoopbackHost } from "../text/loopbackHost.ts";
import type { PlainAnswer } from "./operatorAnswers.ts";
import { sendPlainAnswer } from "./sendPlainAnswer.ts";

export type OperationsServer = { close(): Promise<void> };

/**
 * A port for operators alone, apart from what the process does. Where it is for this computer only, the Host header must be a name of this
 * computer, which that of a page in a browser is not (DNS rebinding). Port 0 is none. A port that cannot be used is logged and
 * does not keep the process from its work: a second worker on a machine has the same default.
 */
export async function startOperationsServer(
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
  answers: ReadonlyMap<string, () => Promise<PlainAnswer>>,
  log: Pick<Logger, "info" | "warn">,
): Promise<OperationsServer> {
  if (port === 0) return { close: async () => undefined };
  const isForThisComputer = isLoopbackAddress(host);
  const server = createServer(async (request, response) => {
    request.resume();
    const { host: askedFor } = request.headers;
    if (isForThisComputer && askedFor !== undefined && !isLoopbackHost(askedFor))
      return sendPlainAnswer(request, response, foreignHost);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const answer = isRead ? answers.get(request.url?.split("?", 1)[0] ?? "") : undefined;
    try {
      sendPlainAnswer(request, response, (await answer?.()) ?? notFound);
    } catch (error) {
      log.warn({ err: error }, "an answer to an operator could not be made");
      response.destroy();
    }
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port }, resolve);
    });
  } catch (error) {
    log.warn(
      { reason: error instanceof Error ? error.message : String(error), host, port },
      `health and metrics of this process are not served: set ${setting} to a free port`,
    );
    return { close: async () => undefined };
  }
  server.on("error", (error) => log.warn({ err: error }, "the port for operators failed"));
  log.info({ host, port: (server.address() as AddressInfo).port }, "health and metrics are served");
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const foreignHost: PlainAnswer = {
  status: 403,
  contentType: "text/plain; charset=utf-8",
  body: "Health and metrics are for this computer: ask 127.0.0.1, or set OPERATIONS_HOST\n",
};

const notFound: PlainAnswer = {
  status: 404,
  contentType: "text/plain; charset=utf-8",
  body: "Here are /healthz, /readyz and /metrics\n",
};
