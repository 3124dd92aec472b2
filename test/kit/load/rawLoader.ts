/**
 * Sends requests over some connections, each the next as soon as its answer has come: some to warm up, then, without a pause, those that
 * are measured. Written for this, because common load tools take more of a core than the server that they are to measure. Gets its
 * LoadOrder from its parent, and sends it LoadMessages.
 */
import { connect } from "node:net";
import { at, round } from "./figures.ts";

export type LoadOrder = {
  readonly port: number;
  /** Whole requests of HTTP/1.1, sent in turn. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Sent before those that are measured: by then what server and loader do most is compiled. */
  readonly warmUpRequests: number;
  readonly measuredRequests: number;
  readonly expected: Expected;
};

/** What every answer is to be like. Whether the body is right is checked by the caller for one answer; others are as long. */
export type Expected = {
  readonly status: number;
  /** A part of the head. */
  readonly head?: string | undefined;
  readonly leastBodyBytes: number;
  readonly mostBodyBytes: number;
};

export type LoadReport = {
  readonly answers: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type LoadMessage = { readonly isWarm: true } | { readonly report: LoadReport } | { readonly refused: string };

const send = (message: LoadMessage) => process.send?.(message);

process.once("message", (order: LoadOrder) => {
  load(order).then(
    (report) => send({ report }),
    (error: unknown) => send({ refused: String(error) }),
  );
});
process.on("disconnect", () => process.exit());

async function load(order: LoadOrder): Promise<LoadReport> {
  const total = order.warmUpRequests + order.measuredRequests;
  const latenciesMs: number[] = [];
  let sent = 0;
  let beganMs = Number.POSITIVE_INFINITY;
  const next = (): string | undefined => {
    if (sent >= total) return undefined;
    if (sent === order.warmUpRequests) {
      send({ isWarm: true });
      beganMs = performance.now();
    }
    sent += 1;
    return order.requests[(sent - 1) % order.requests.length];
  };
  const answered = (sentMs: number) => {
    if (sentMs >= beganMs) latenciesMs.push(performance.now() - sentMs);
  };
  await Promise.all(Array.from({ length: order.connections }, () => runConnection(order, next, answered)));
  const seconds = (performance.now() - beganMs) / 1_000;
  latenciesMs.sort((a, b) => a - b);
  return {
    answers: latenciesMs.length,
    seconds,
    p50Ms: round(at(latenciesMs, 0.5), 3),
    p99Ms: round(at(latenciesMs, 0.99), 3),
  };
}

/** One connection, until there is no next request. Rejects at the first answer that is not as expected. */
function runConnection(
  { port, expected }: LoadOrder,
  next: () => string | undefined,
  answered: (sentMs: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let sentMs = 0;
    let parts: Buffer[] = [];
    let length = 0;
    let wholeLength: number | undefined;
    const sendNext = (): void => {
      parts = [];
      length = 0;
      wholeLength = undefined;
      sentMs = performance.now();
      const request = next();
      if (request === undefined) {
        socket.end();
        resolve();
      } else socket.write(request);
    };
    socket.on("connect", sendNext);
    socket.on("error", reject);
    // An answer that is over has been followed by a next request or by the end.
    socket.on("close", () => reject(new Error("the server closed the connection")));
    socket.on("data", (part: Buffer) => {
      length += part.length;
      if (wholeLength === undefined) {
        parts.push(part);
        const head = Buffer.concat(parts).toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end === -1) return;
        const bodyLength = bodyLengthOf(head.slice(0, end), expected);
        if (bodyLength === undefined) {
          reject(new Error(head.slice(0, 1_000)));
          socket.destroy();
          return;
        }
        wholeLength = end + 4 + bodyLength;
      }
      if (length < wholeLength) return;
      answered(sentMs);
      sendNext();
    });
  });
}

/** Undefined for a head that is not as expected. */
function bodyLengthOf(head: string, expected: Expected): number | undefined {
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const isAsExpected =
    head.startsWith(`HTTP/1.1 ${expected.status} `) &&
    head.includes(expected.head ?? "") &&
    length >= expected.leastBodyBytes &&
    length <= expected.mostBodyBytes;
  return isAsExpected ? length : undefined;
}
