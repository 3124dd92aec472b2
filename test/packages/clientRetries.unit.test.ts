import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { LinkService } from "../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { withIdempotencyKey } from "../../packages/client-js/src/idempotencyKey.ts";
import { createLookout, LookoutError, type LookoutResponse, responseOf } from "../../packages/client-js/src/node.ts";
import { longestWaitMs, waitBeforeRetry } from "../../packages/client-js/src/retry.ts";
import { readRetryAfter } from "../../packages/client-js/src/toLookoutError.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A proxy that gives these answers one after another, and the last one from then on. `hang` is no answer. */
async function proxyWith(...answers: readonly string[]) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      const text = data.toString("latin1");
      if (!text.startsWith("POST")) return;
      requests.push(text);
      const given = answers[Math.min(requests.length, answers.length) - 1] ?? "";
      if (given !== "hang") socket.end(given);
    });
  });
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function answer(status: string, body: string, headers = ""): string {
  return `HTTP/1.1 ${status}\r\nconnection: close\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`;
}

const json = "content-type: application/json\r\n";
const empty = answer("200 OK", "{}", `${json}x-request-id: req_1\r\n`);

describe.each(["connect", "grpc-web"] as const)("a proxy that answers 503 over %s", (protocol) => {
  test.each([
    ["a page", answer("503 Service Unavailable", "<html>", "content-type: text/html\r\nretry-after: 7\r\n")],
    ["nothing", answer("503 Service Unavailable", "", "retry-after: 7\r\n")],
    ["JSON", answer("503 Service Unavailable", '{"error":"down"}', `${json}retry-after: 7\r\n`)],
  ])("with %s is no unreachable address, and its Retry-After is known", async (_, text) => {
    const { baseUrl } = await proxyWith(text);
    const lookout = createLookout({ baseUrl, protocol, retry: { attempts: 1 } });
    const error = await lookout.links.createLink({ targetUrl: "https://example.com" }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(LookoutError);
    expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503, retryAfterMs: 7_000, isTemporary: true });
    expect(error.message).toContain("A proxy at http://127.0.0.1");
    await lookout.close();
  });
});

describe.each(["connect", "grpc-web"] as const)("a proxy over %s that answers", (protocol) => {
  test.each([
    [
      301,
      "Moved Permanently",
      "location: https://other.example/\r\n",
      /redirects to https:\/\/other\.example\/: .*baseUrl/,
    ],
    [403, "Forbidden", "", /Check baseUrl and the proxies on the way/],
    [404, "Not Found", "", /Check baseUrl and its path/],
    [413, "Content Too Large", "", /larger than it takes/],
  ])("%i is not asked again, and its status is known", async (status, text, headers, message) => {
    const { baseUrl, requests } = await proxyWith(answer(`${status} ${text}`, "<html>", headers));
    const lookout = createLookout({ baseUrl, protocol, retry: { firstWaitMs: 1 } });
    const error = await lookout.links.listLinks({}).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "LookoutError", code: "BAD_ANSWER", status, isTemporary: false });
    expect(error.message).toMatch(message);
    expect(requests).toHaveLength(1);
    await lookout.close();
  });
});

test("Lookout's own 404 of JSON over HTTP is the status of a wrong path", async () => {
  const { baseUrl } = await proxyWith(answer("404 Not Found", '{"success":false,"code":"NOT_FOUND"}', json));
  const lookout = createLookout({ baseUrl });
  await expect(lookout.links.listLinks({})).rejects.toMatchObject({ code: "BAD_ANSWER", status: 404 });
  await lookout.close();
});

test("a connection that is lost after the request is not an address at which nothing answers", async () => {
  const { baseUrl } = await proxyWith("");
  const lookout = createLookout({ baseUrl, retry: { attempts: 1 } });
  const error = await lookout.links.listLinks({}).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: "BAD_ANSWER", isTemporary: true, status: undefined });
  expect(error.message).toMatch(/^The connection to .* was lost before the answer was complete \(UND_ERR_SOCKET\)/);
  await lookout.close();
});

test("429 of a proxy is a limit", async () => {
  const { baseUrl } = await proxyWith(answer("429 Too Many Requests", "", "retry-after: 1\r\n"));
  const lookout = createLookout({ baseUrl, retry: { attempts: 1 } });
  await expect(lookout.links.listLinks({})).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED", status: 429 });
  await lookout.close();
});

describe("calls", () => {
  const down = answer("503 Service Unavailable", "", "retry-after: 0\r\n");

  test("that may be repeated are, and the answer says how often", async () => {
    const { baseUrl, requests } = await proxyWith(down, down, empty);
    const lookout = createLookout({ baseUrl });
    const { attempts } = known(await lookout.links.listLinks({}));
    expect([attempts, requests.length]).toEqual([3, 3]);
    await lookout.close();
  });

  test("that hang are tried again, and the last try has the time that is left", async () => {
    const { baseUrl, requests } = await proxyWith("hang", "hang", empty);
    const lookout = createLookout({ baseUrl, attemptTimeoutMs: 50, retry: { firstWaitMs: 1 } });
    const { attempts } = known(await lookout.links.listLinks({}));
    expect(attempts).toBe(3);
    const limits = requests.map((request) => Number(/^connect-timeout-ms: (\d+)\r$/im.exec(request)?.[1]));
    expect(limits.slice(0, 2)).toEqual([50, 50]);
    expect(limits[2]).toBeGreaterThan(1_000);
    await lookout.close();
  });

  test("have a limit of a try by themselves, except those that take as long as a query", async () => {
    const { baseUrl, requests } = await proxyWith(empty);
    const lookout = createLookout({ baseUrl });
    await lookout.links.listLinks({});
    await lookout.funnels.analyzeFunnel({ websiteId: "w", funnel: { preset: "today", steps: [] } });
    const limits = requests.map((request) => Number(/^connect-timeout-ms: (\d+)\r$/im.exec(request)?.[1]));
    expect(limits[0]).toBe(10_000);
    expect(limits[1]).toBeGreaterThan(10_000);
    expect(() => createLookout({ baseUrl, attemptTimeoutMs: Number.NaN })).toThrow(/^attemptTimeoutMs must be from 0/);
    await lookout.close();
  });

  test("that change something are not repeated", async () => {
    const { baseUrl, requests } = await proxyWith(down, empty);
    const lookout = createLookout({ baseUrl });
    await expect(lookout.uptime.checkNow({ id: "m" })).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(requests).toHaveLength(1);
    await lookout.close();
  });

  const flat = (name: string, eventId?: string) => ({ payload: { case: "flat", value: { name, eventId } } }) as const;

  test("of events are repeated if all have ids", async () => {
    const { baseUrl, requests } = await proxyWith(down, empty);
    const lookout = createLookout({ baseUrl });
    await lookout.ingest.batch({ websiteId: "w", events: [flat("a", "1"), flat("b", "2")] });
    expect(requests).toHaveLength(2);
    await lookout.close();
  });

  test("of events are not repeated if one has no id", async () => {
    const { baseUrl, requests } = await proxyWith(down, empty);
    const lookout = createLookout({ baseUrl });
    const events = [flat("a", "1"), flat("b")];
    await expect(lookout.ingest.batch({ websiteId: "w", events })).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(1);
    await lookout.close();
  });

  test("that create something are repeated with the same key", async () => {
    const { baseUrl, requests } = await proxyWith(down, answer("200 OK", '{"link":{"id":"l"}}', json));
    const lookout = createLookout({ baseUrl });
    await lookout.links.createLink({ targetUrl: "https://example.com" });
    const keys = requests.map((request) => /^idempotency-key: (\S+)\r$/im.exec(request)?.[1]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
    await lookout.close();
  });

  test("end at once when the wait is longer than what is left of their time", async () => {
    const { baseUrl, requests } = await proxyWith(answer("503 Service Unavailable", "", "retry-after: 30\r\n"), empty);
    const lookout = createLookout({ baseUrl, timeoutMs: 10_000 });
    await expect(lookout.links.listLinks({})).rejects.toMatchObject({ retryAfterMs: 30_000 });
    expect(requests).toHaveLength(1);
    await lookout.close();
  });

  test("end with the caller's signal while they wait", async () => {
    const { baseUrl } = await proxyWith(answer("503 Service Unavailable", "", "retry-after: 30\r\n"), empty);
    const lookout = createLookout({ baseUrl, timeoutMs: 0 });
    const call = lookout.links.listLinks({}, { signal: AbortSignal.timeout(50) });
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    await lookout.close();
  });
});

function known(answer: object): LookoutResponse {
  const response = responseOf(answer);
  if (response === undefined) throw new Error("no call resolved with this object");
  return response;
}

test("an answer has a status, headers and the request's id", async () => {
  const { baseUrl } = await proxyWith(
    answer("200 OK", "{}", `${json}x-request-id: req_9\r\nidempotency-replayed: true\r\n`),
  );
  const lookout = createLookout({ baseUrl });
  const response = known(await lookout.links.listLinks({}));
  expect(response).toMatchObject({ status: 200, requestId: "req_9", attempts: 1, isReplayed: true });
  expect(response.headers.get("content-type")).toBe("application/json");
  await lookout.close();
});

describe("the wait before the next try", () => {
  const options = { attempts: 3, firstWaitMs: 200 };
  const limit = (retryAfterMs?: number) => new LookoutError("RATE_LIMIT_EXCEEDED", "", { retryAfterMs });
  test.each([
    ["is not longer than a minute", limit(longestWaitMs + 1), 1, Number.POSITIVE_INFINITY, undefined],
    ["fits into the call's time", limit(5_000), 1, 5_000, undefined],
    ["is none after the last try", limit(0), 3, 100, undefined],
    ["is none for an error that stays", new LookoutError("NOT_FOUND", ""), 1, 100, undefined],
    ["is none for a conflict", new LookoutError("CONFLICT", ""), 1, 100, undefined],
  ])("%s", (_, error, failures, leftMs, waitMs) => {
    expect(waitBeforeRetry(error, failures, options, leftMs)).toBe(waitMs);
  });

  test.each([
    ["a limit", limit(5_000)],
    ["the same key in progress", new LookoutError("CONFLICT", "", { retryAfterMs: 5_000 })],
  ])("is what the service asks for, and up to a tenth more: %s", (_, error) => {
    const waitMs = waitBeforeRetry(error, 1, options, Number.POSITIVE_INFINITY) ?? 0;
    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThanOrEqual(5_500);
  });

  test("doubles without a Retry-After", () => {
    const waitMs = waitBeforeRetry(limit(), 2, options, Number.POSITIVE_INFINITY) ?? 0;
    expect(waitMs).toBeGreaterThanOrEqual(200);
    expect(waitMs).toBeLessThanOrEqual(400);
  });
});

test.each([
  ["7", 7_000],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
  ["soon", undefined],
  [null, undefined],
])("Retry-After: %s", (header, waitMs) => {
  expect(readRetryAfter(header, Date.UTC(1994, 10, 6, 8, 49, 0))).toBe(waitMs);
});

describe("idempotency keys", () => {
  const { createLink: creating, listLinks: reading } = LinkService.method;
  const keyIn = (headers: HeadersInit | undefined) => new Headers(headers).get("idempotency-key");

  test("are made for calls that create, another one for each", () => {
    const [first, second] = [withIdempotencyKey(creating, {}, undefined), withIdempotencyKey(creating, {}, undefined)];
    expect(first.hasKey).toBe(true);
    expect(keyIn(first.headers)).toMatch(/^[0-9a-f-]{36}$/);
    expect(keyIn(second.headers)).not.toBe(keyIn(first.headers));
  });

  test("of the caller stay, in the header or in the request", () => {
    expect(keyIn(withIdempotencyKey(creating, {}, { "Idempotency-Key": "order 7" }).headers)).toBe("order 7");
    expect(withIdempotencyKey(creating, { idempotencyKey: "order 7" }, undefined)).toEqual({
      headers: undefined,
      hasKey: true,
    });
  });

  test("are for no other calls", () => {
    expect(withIdempotencyKey(reading, {}, undefined)).toEqual({ headers: undefined, hasKey: false });
  });
});
