import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** A receiver of hooks, which can be the target of monitors as well. */
export type HookReceiver = {
  readonly port: number;
  readonly received: Received[];
  /** The requests to a path. */
  at(path: string): Received[];
  /** The requests to all paths that start so. */
  below(path: string): Received[];
  /** Statuses of the next answers to a path; `hold` never answers. */
  answer(path: string, ...statuses: (number | "hold")[]): void;
  close(): Promise<void>;
};

/** `usual` gives the status for a path without answers of its own. */
export async function startHookReceiver(
  host = "127.0.0.1",
  usual: (path: string) => number = () => 200,
): Promise<HookReceiver> {
  const received: Received[] = [];
  const answers = new Map<string, (number | "hold")[]>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, headers: request.headers, body: Buffer.concat(parts).toString() });
      give(response, answers.get(path)?.shift() ?? usual(path));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // A server that listens on TCP has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    received,
    at: (path) => received.filter((message) => message.path === path),
    below: (path) => received.filter((message) => message.path.startsWith(path)),
    answer: (path, ...statuses) => void answers.set(path, statuses),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function give(response: ServerResponse, status: number | "hold"): void {
  if (status === "hold") return;
  if (status >= 300 && status < 400) response.setHeader("location", "/elsewhere");
  response.statusCode = status;
  response.end("seen");
}

/** Whether a receiver accepts a message's signature under Standard Webhooks 1.0. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const id = String(headers["webhook-id"]);
  const timestamp = String(headers["webhook-timestamp"]);
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .filter((part) => part.startsWith("v1,"))
    .map((part) => Buffer.from(part.slice(3), "base64"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
