/**
 * Sends requests over some connections, each the next as soon as its answer has come: some to warm up, then, without a pause, those that
 * are measured. Reports to its parent when it is warm, and at the end its LoadReport. Written for this, because common load tools take more of a
 * core than the server that they are to measure. Argument: JSON of LoadOrder.
 */
import { connect } from "node:net";
import { at, round } from "../../test/kit/load/figures.ts";
import { clickRequests } from "./clicks.ts";

export type LoadOrder = {
  readonly port: number;
  readonly slugs: readonly string[];
  readonly connections: number;
  /** Sent before those that are measured, by then what server and loader do most is compiled. */
  readonly warmUpRequests: number;
  readonly requests: number;
};

export type LoadReport = {
  readonly redirects: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

// Only the benchmark calls this.
const order = JSON.parse(process.argv[2] ?? "{}") as LoadOrder;
const requests = clickRequests(order.slugs);
const total = order.warmUpRequests + order.requests;
const latenciesMs: number[] = [];
let sent = 0;
let beganMs = Number.POSITIVE_INFINITY;

await Promise.all(Array.from({ length: order.connections }, run));
const seconds = (performance.now() - beganMs) / 1_000;
latenciesMs.sort((a, b) => a - b);
const report: LoadReport = {
  redirects: latenciesMs.length,
  seconds,
  p50Ms: round(at(latenciesMs, 0.5), 3),
  p99Ms: round(at(latenciesMs, 0.99), 3),
};
process.send?.({ report });
process.disconnect();

/** One connection. Rejects at the first answer that is no redirect. */
function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: order.port, host: "127.0.0.1", noDelay: true });
    let sentMs = 0;
    let answer = "";
    const next = (): void => {
      if (sent >= total) {
        socket.end();
        resolve();
        return;
      }
      if (sent === order.warmUpRequests) {
        process.send?.({ isWarm: true });
        beganMs = performance.now();
      }
      answer = "";
      sentMs = performance.now();
      socket.write(requests[sent % requests.length] ?? "");
      sent += 1;
    };
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (part: Buffer) => {
      answer += part.toString("latin1");
      // A redirect has no body.
      if (!answer.endsWith("\r\n\r\n")) return;
      if (!answer.startsWith("HTTP/1.1 302")) {
        reject(new Error(answer));
        socket.destroy();
        return;
      }
      if (sentMs >= beganMs) latenciesMs.push(performance.now() - sentMs);
      next();
    });
  });
}
