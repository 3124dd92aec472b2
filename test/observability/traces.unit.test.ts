import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import {
  callSpan,
  currentTraceparent,
  hasTraces,
  inSpan,
  noteAnswer,
  startTraces,
  stopTraces,
} from "../../src/observability/traces.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../kit/servers/otlpReceiver.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const log = { warn: vi.fn(), info: vi.fn() };
const store = { kind: "client", attributes: { "db.system.name": "questdb" } } as const;

let receiver: OtlpReceiver;
beforeEach(async () => {
  receiver = await startOtlpReceiver();
});
afterEach(async () => {
  await stopTraces();
  await receiver.close();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  await startTraces(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, ...env }), "api", log);
}

/** What the receiver has after everything was sent. */
async function sent() {
  await stopTraces();
  return receiver.spans;
}

test("8: without an endpoint nothing is recorded, and work runs as it is", async () => {
  await startTraces(readConfig({}), "api", log);
  expect(hasTraces()).toBe(false);
  expect(await inSpan("questdb read", store, async () => currentTraceparent() ?? "none")).toBe("none");
  await callSpan("lookout.v1.QueryService.Query", traceparent, async () => noteAnswer("json", 200));
});

test("8: a call goes on in its caller's trace, and what it does in stores is part of it", async () => {
  await start({ OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20one" });
  let handedOn: string | undefined;
  await callSpan("lookout.v1.QueryService.Query", traceparent, async () => {
    await inSpan("questdb read", store, () => pause(1));
    handedOn = currentTraceparent();
    noteAnswer("json", 200);
  });
  const [read, call] = await sent();
  expect(call).toMatchObject({
    service: "lookout-api",
    traceId,
    parentId: "b7ad6b7169203331",
    name: "lookout.v1.QueryService.Query",
    attributes: { "rpc.system.name": "json", "http.response.status_code": 200 },
    status: 0,
  });
  expect(read).toMatchObject({ traceId, parentId: call?.spanId, name: "questdb read" });
  expect(handedOn).toBe(`00-${traceId}-${call?.spanId}-01`);
  expect(receiver.raw()).toContain('"authorization":"Bearer one"');
});

test("8: an error is noted by its kind, without its text", async () => {
  await start();
  await callSpan("lookout.v1.LinkService.GetLink", undefined, async () => {
    const read = () => Promise.reject(new RangeError("a visitor's text"));
    await inSpan("questdb read", store, read).catch(() => undefined);
    noteAnswer("grpc", 503);
  });
  expect(await sent()).toMatchObject([
    { name: "questdb read", status: 2, attributes: { "error.type": "RangeError" } },
    { name: "lookout.v1.LinkService.GetLink", parentId: "", status: 2 },
  ]);
  expect(receiver.raw()).not.toContain("visitor");
});

test("8: a traceparent that is not valid begins a trace, and one that is not sampled records nothing", async () => {
  await start();
  const given = [
    "00-0-0-01",
    `ff-${traceId}-b7ad6b7169203331-01`,
    `${traceparent}-more`,
    traceparent.replace(/1$/, "0"),
  ];
  for (const each of given) await callSpan("lookout.v1.QueryService.Query", each, async () => undefined);
  const spans = await sent();
  expect(spans.map(({ parentId }) => parentId)).toEqual(["", "", ""]);
  expect(new Set(spans.map((span) => span.traceId)).size).toBe(3);
});

test("8: what goes on after its call, or belongs to none, is not recorded", async () => {
  await start();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let later: Promise<void> | undefined;
  await callSpan("lookout.v1.QueryService.Query", undefined, async () => {
    later = answered.then(() => inSpan("questdb read", store, async () => undefined));
  });
  answer();
  await later;
  await inSpan("questdb read", store, async () => undefined);
  await inSpan("questdb commit", { ...store, parent: "none" }, async () => undefined);
  expect((await sent()).map(({ name }) => name)).toEqual(["lookout.v1.QueryService.Query", "questdb commit"]);
});

test("8: a share of the traces is recorded, whatever callers ask for", async () => {
  await start({ OTEL_TRACES_SAMPLER_ARG: "0" });
  for (const parent of [undefined, traceparent])
    await callSpan("lookout.v1.QueryService.Query", parent, async () => undefined);
  expect(await sent()).toEqual([]);
});

test("8: a receiver that refuses spans is reported", async () => {
  await start();
  receiver.answer(400);
  await callSpan("lookout.v1.QueryService.Query", undefined, async () => undefined);
  await stopTraces();
  expect(log.warn.mock.calls).toEqual([[expect.anything(), expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT")]]);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "secret" }, "OTEL_EXPORTER_OTLP_HEADERS must be pairs such as"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "token=%E0%A4%A" }, "OTEL_EXPORTER_OTLP_HEADERS must be pairs such as"],
  [{ OTEL_TRACES_SAMPLER_ARG: "10%" }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "10%"'],
])("8: %o is refused by its name", (env, message) => {
  expect(() => readConfig(env)).toThrow(message);
});
