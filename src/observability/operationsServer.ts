import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { PlainAnswer } from "./operatorAnswers.ts";
import { sendPlainAnswer } from "./sendPlainAnswer.ts";

export type OperationsServer = { close(): Promise<void> };

/**
 * A port for operators alone, apart from what the process does. Port 0 is none. A port that cannot be used is logged and
 * does not keep the process from its work: a second worker on a machine has the same default.
 */
export async function startOperationsServer(
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
  answers: ReadonlyMap<string, () => Promise<PlainAnswer>>,
  log: Pick<Logger, "info" | "warn">,
): Promise<OperationsServer> {
  if (port === 0) return { close: async () => undefined };
  const server = createServer(async (request, response) => {
    request.resume();
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

const notFound: PlainAnswer = {
  status: 404,
  contentType: "text/plain; charset=utf-8",
  body: "Here are /healthz, /readyz and /metrics\n",
};
