import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { whenInterrupted } from "../../stack/servers/temporalInterrupted.ts";

const interrupted = '{"code":14,"message":"GetNamespace operation failed. Error interrupted (9)"}';
const healthy = '{"namespaceInfo":{"name":"default"}}';

/** A server that sends these answers in order, and repeats the last one. */
async function answering(answers: readonly string[]) {
  let asked = 0;
  const server = createServer((_, response) => {
    const text = answers[Math.min(asked, answers.length - 1)] ?? healthy;
    asked += 1;
    response.writeHead(text === healthy ? 200 : 503).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { http: { port, host: "temporal" }, asked: () => asked };
}

test("Temporal's development server is restarted after three interrupted answers in a row", async () => {
  const { http, asked } = await answering([interrupted, interrupted, healthy, interrupted]);
  const reason = await whenInterrupted(http, "default", new AbortController().signal, 1);
  expect(reason).toContain("interrupted");
  expect(asked()).toBe(6);
});

test("Temporal's development server is left alone while it answers, or does not answer at all", async () => {
  const ended = new AbortController();
  const { http, asked } = await answering([interrupted, healthy]);
  const watched = whenInterrupted(http, "default", ended.signal, 1);
  await expect.poll(asked).toBeGreaterThan(20);
  ended.abort();
  await expect(watched).rejects.toThrow();

  const ports = await answering([]);
  const over = new AbortController();
  const ofNobody = whenInterrupted({ ...ports.http, port: 1 }, "default", over.signal, 1);
  over.abort();
  await expect(ofNobody).rejects.toThrow();
});
