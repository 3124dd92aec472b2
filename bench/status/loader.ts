/**
 * Asks for one page over some connections, each the next time as soon as its answer has come: some to warm up, then those that are
 * measured. Reports to its parent. Argument: JSON of LoadOrder.
 */
import { connect } from "node:net";
import { at, round } from "../../test/kit/load/figures.ts";

export type LoadOrder = {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  readonly warmUpRequests: number;
  readonly requests: number;
};

export type LoadReport = { readonly requestsPerSecond: number; readonly p50Ms: number; readonly p99Ms: number };

// Only the benchmark calls this.
const order = JSON.parse(process.argv[2] ?? "{}") as LoadOrder;
const request = `GET ${order.path} HTTP/1.1\r\nhost: status.example.com\r\naccept-encoding: gzip\r\naccept-language: en\r\n\r\n`;
const total = order.warmUpRequests + order.requests;
const latenciesMs: number[] = [];
let sent = 0;
let beganMs = Number.POSITIVE_INFINITY;

await Promise.all(Array.from({ length: order.connections }, run));
const seconds = (performance.now() - beganMs) / 1_000;
latenciesMs.sort((a, b) => a - b);
const report: LoadReport = {
  requestsPerSecond: round(latenciesMs.length / seconds, 0),
  p50Ms: round(at(latenciesMs, 0.5), 3),
  p99Ms: round(at(latenciesMs, 0.99), 3),
};
process.send?.(report);
process.disconnect();

/** One connection. Rejects at the first answer that is no page. */
function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: order.port, host: "127.0.0.1", noDelay: true });
    let sentMs = 0;
    let parts: Buffer[] = [];
    let length = 0;
    let expected: number | undefined;
    const next = (): void => {
      if (sent >= total) {
        socket.end();
        resolve();
        return;
      }
      if (sent === order.warmUpRequests) beganMs = performance.now();
      parts = [];
      length = 0;
      expected = undefined;
      sentMs = performance.now();
      socket.write(request);
      sent += 1;
    };
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (expected === undefined) {
        const head = Buffer.concat(parts).toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end === -1) return;
        const bodyLength = /content-length: (\d+)/i.exec(head)?.[1];
        if (!head.startsWith("HTTP/1.1 200") || bodyLength === undefined) {
          reject(new Error(head.slice(0, 500)));
          socket.destroy();
          return;
        }
        expected = end + 4 + Number(bodyLength);
      }
      if (length < expected) return;
      if (sentMs >= beganMs) latenciesMs.push(performance.now() - sentMs);
      next();
    });
  });
}
