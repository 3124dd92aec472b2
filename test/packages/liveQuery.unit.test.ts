import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { afterEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema, RetryInfoSchema } from "../../packages/client-js/src/gen/google/rpc/error_details_pb.ts";
import { LinkService } from "../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { QueryService, type WatchRequest } from "../../packages/client-js/src/gen/lookout/v1/query_pb.ts";
import { createLookout, type Lookout, LookoutError, type WatchOptions } from "../../packages/client-js/src/node.ts";

const clients: Lookout[] = [];
const servers: { server: Server; sockets: Set<Socket> }[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  servers.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

type Protocol = "connect" | "grpc-web" | "grpc";
const protocols: readonly Protocol[] = ["connect", "grpc-web", "grpc"];

/** What a stream does, step by step: an answer with this figure, a message without one, an error, or nothing more. */
type Step = number | "alive" | "silence" | ConnectError;

/** A service whose nth stream takes the nth list of steps; all streams after that stay silent. */
async function service(protocol: Protocol, ...streams: readonly (readonly Step[])[]) {
  const requests: WatchRequest[] = [];
  const handler = connectNodeAdapter({
    routes: (router) =>
      router
        .service(LinkService, { listLinks: (_, { signal }) => untilAborted(signal).then(() => ({})) })
        .service(QueryService, {
          async *watch(request, { signal }) {
            requests.push(request);
            for (const step of streams[requests.length - 1] ?? ["silence"]) {
              if (step instanceof ConnectError) throw step;
              if (step === "silence") await untilAborted(signal);
              else yield step === "alive" ? {} : { answer: answerOf(step) };
            }
          },
        }),
  });
  const port = await listen(protocol === "grpc" ? createHttp2Server(handler) : createServer(handler));
  return { baseUrl: `http://127.0.0.1:${port}`, requests, port };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

function answerOf(users: number) {
  const data = [{ parameter: "active_stats", success: true, data: [{ active_users: users, active_sessions: users }] }];
  return { success: true, requestId: "req_1", data, meta: { page: 1, limit: 100, consistent: true } };
}

function clientOf(baseUrl: string, protocol: Protocol, options: { attempts?: number; pingIntervalMs?: number } = {}) {
  const { attempts = 3, pingIntervalMs } = options;
  const retry = { attempts, firstWaitMs: 1 };
  const lookout = createLookout({ baseUrl, protocol, websiteId: "w", retry, pingIntervalMs });
  clients.push(lookout);
  return lookout;
}

/** The figures of a watch, until there are this many or it fails, and what it fails with. */
async function figures(lookout: Lookout, count: number, options?: WatchOptions) {
  const seen: (number | undefined)[] = [];
  try {
    for await (const { data } of lookout.watch({ preset: "today", parameters: ["active_stats"] }, options)) {
      seen.push(data[0].data?.[0]?.active_users);
      if (seen.length === count) break;
    }
  } catch (error) {
    if (!(error instanceof LookoutError)) throw error;
    return { seen, code: error.code };
  }
  return { seen, code: undefined };
}

const away = new ConnectError("away", Code.Unavailable);
const revoked = new ConnectError("no", Code.Unauthenticated, undefined, [
  { desc: ErrorInfoSchema, value: { reason: "INVALID_API_KEY", domain: "lookout.v1" } },
]);

/** Asks for a wait. */
function later(waitMs: number): ConnectError {
  const retryDelay = { seconds: BigInt(Math.floor(waitMs / 1_000)), nanos: (waitMs % 1_000) * 1e6 };
  return new ConnectError("later", Code.Unavailable, { "x-request-id": "r" }, [
    { desc: RetryInfoSchema, value: { retryDelay } },
  ]);
}

describe.each(protocols)("a watch over %s", (protocol) => {
  test("is opened again when it is lost, as often as needed, and says so", async () => {
    const { baseUrl, requests } = await service(
      protocol,
      [1, away],
      [away],
      [away],
      [away],
      [away],
      [2, later(20)],
      [3],
    );
    const lost: [string, number][] = [];
    const onReconnect = (error: LookoutError, waitMs: number) => lost.push([error.code, waitMs]);
    const { seen } = await figures(clientOf(baseUrl, protocol), 3, { onReconnect });
    expect([seen, requests.length]).toEqual([[1, 2, 3], 7]);
    expect(lost).toHaveLength(6);
    expect(new Set(lost.map(([code]) => code)).size).toBe(1);
    const [, waitMs = 0] = lost.at(-1) ?? [];
    expect([waitMs >= 20, waitMs <= 22, Number.isInteger(waitMs)]).toEqual([true, true, true]);
  });

  test("skips messages that only keep the stream alive, which it asks for", async () => {
    const { baseUrl, requests } = await service(protocol, ["alive", 1, "alive", "alive", 2]);
    expect((await figures(clientOf(baseUrl, protocol), 2)).seen).toEqual([1, 2]);
    expect(requests.map(({ keepAliveSeconds }) => keepAliveSeconds)).toEqual([30]);
  });

  test("notices that nothing comes any more", async () => {
    const { baseUrl } = await service(protocol, [1, "silence"], [2]);
    const lost: string[] = [];
    const onReconnect = ({ code, message }: LookoutError) => lost.push(`${code} ${message}`);
    const { seen } = await figures(clientOf(baseUrl, protocol), 2, { onReconnect, keepAliveSeconds: 1 });
    expect(seen).toEqual([1, 2]);
    expect(lost).toEqual([expect.stringMatching(/^BAD_ANSWER The connection was lost: nothing came for 2.5 s/)]);
  });
});

describe("a watch", () => {
  test("works with a service that does not know how to keep it alive", async () => {
    const reason = { desc: ErrorInfoSchema, value: { reason: "VALIDATION_ERROR", domain: "lookout.v1" } };
    const text = 'cannot decode message lookout.v1.WatchRequest from JSON: key "keepAliveSeconds" is unknown';
    const unknown = new ConnectError(text, Code.InvalidArgument, undefined, [reason]);
    const { baseUrl, requests } = await service("connect", [unknown], [1]);
    expect((await figures(clientOf(baseUrl, "connect"), 1)).seen).toEqual([1]);
    expect(requests.map(({ keepAliveSeconds }) => keepAliveSeconds)).toEqual([30, undefined]);
  });

  test("is opened again at its begin as often as other calls are tried", async () => {
    const { baseUrl } = await service("connect", [away], [away], [1]);
    expect(await figures(clientOf(baseUrl, "connect"), 1)).toEqual({ seen: [1], code: undefined });
    const never = await service("connect", [away], [1]);
    const { seen, code } = await figures(clientOf(never.baseUrl, "connect", { attempts: 1 }), 1);
    expect([seen, code, never.requests.length]).toEqual([[], "SERVICE_UNAVAILABLE", 1]);
  });

  test("ends with an error that stays", async () => {
    const { baseUrl, requests } = await service("connect", [1, revoked], [2]);
    expect(await figures(clientOf(baseUrl, "connect"), 2)).toEqual({ seen: [1], code: "INVALID_API_KEY" });
    expect(requests).toHaveLength(1);
  });

  test("ends with the failure when it is not to be opened again", async () => {
    const { baseUrl } = await service("connect", [1, away], [2]);
    const { seen, code } = await figures(clientOf(baseUrl, "connect"), 2, { reconnect: false });
    expect([seen, code]).toEqual([[1], "SERVICE_UNAVAILABLE"]);
  });

  test.each(["CANCELLED", "CLOSED"] as const)("ends while it waits: %s", async (code) => {
    const { baseUrl } = await service("connect", [1, later(60_000)]);
    const lookout = clientOf(baseUrl, "connect");
    const stop = new AbortController();
    const end = () => (code === "CLOSED" ? void lookout.close() : stop.abort());
    const onReconnect = () => setImmediate(end);
    expect(await figures(lookout, 2, { onReconnect, signal: stop.signal })).toEqual({ seen: [1], code });
  });
});

test("a gRPC connection that died without a word is noticed by pings", async () => {
  const { port } = await service("grpc");
  let isDead = false;
  const proxy = createTcpServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    client.on("data", (data) => isDead || upstream.write(data));
    upstream.on("data", (data) => isDead || client.write(data));
    client.on("close", () => upstream.destroy());
  });
  const lookout = clientOf(`http://127.0.0.1:${await listen(proxy)}`, "grpc", { attempts: 1, pingIntervalMs: 100 });
  const call = lookout.links.listLinks({}, { timeoutMs: 0 });
  setTimeout(() => {
    isDead = true;
  }, 300);
  await expect(call).rejects.toMatchObject({
    code: "BAD_ANSWER",
    message: expect.stringMatching(/was lost before the answer was complete \(PING timed out\)/),
  });
});
