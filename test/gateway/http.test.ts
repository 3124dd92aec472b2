import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { expect, inject, test } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { startApiProcess } from "../kit/stack/apiProcess.ts";

const origin = "https://shop.example";

test("Fetch section 3.2: a preflight echoes the origin and allows the requested headers, with credentials only on calls that ignore them", async () => {
  const paths = {
    "/batch": true,
    "/track": true,
    "/": true,
    "/v1/query": false,
    "/auth/sign-in": false,
    "/lookout.v1.QueryService/Query": false,
  };
  for (const [path, expected] of Object.entries(paths)) {
    const answer = await send("OPTIONS", path, {
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-tracker-version",
      },
    });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": expect.stringContaining("POST"),
      "access-control-allow-headers": "content-type,x-tracker-version",
      vary: "Origin",
    });
    expect(answer.headers.get("access-control-allow-credentials"), path).toBe(expected ? "true" : null);
  }
});

test("Fetch section 3.2: answers and errors carry the origin too", async () => {
  const { websiteId } = await createWebsite();
  for (const path of [`/batch?website_id=${websiteId}`, "/batch"]) {
    const answer = await send("POST", path, { body: [], headers: { origin } });
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
  }
});

test("Fetch section 3.2: pages of other origins may read the contract, but not the operators' endpoints", async () => {
  const allowed = async (path: string) =>
    (await send("GET", path, { headers: { origin } })).headers.get("access-control-allow-origin");
  expect(await allowed("/openapi.json")).toBe(origin);
  expect(await allowed("/metrics")).toBeNull();
  expect(await allowed("/readyz")).toBeNull();
});

test("part 7: a truncated body is a client error, not an unavailable store", async () => {
  const api = await startApiProcess({});
  try {
    const { websiteId } = await createWebsite();
    const socket = connect(Number(new URL(api.baseUrl).port), "127.0.0.1");
    const head = `POST /batch?website_id=${websiteId} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`;
    socket.write(`${head}[{"name":`, () => socket.destroy());
    const calls = async () => {
      const metrics = await (await fetch(`${api.baseUrl}/metrics`)).text();
      return [...metrics.matchAll(/^lookout_requests_total\{.*status="(\d+)".*\} (\d+)$/gm)].map(
        ([, status, count]) => [status, count],
      );
    };
    await expect.poll(calls).toEqual([["400", "1"]]);
    expect(api.output()).not.toContain("a store does not answer");
  } finally {
    await api.stop();
  }
});

test("RFC 9110 section 9.3.2: HEAD is answered like GET, without the body", async () => {
  const get = await send("GET", "/v1/query/types");
  const head = await send("HEAD", "/v1/query/types");
  expect(head.status).toBe(200);
  expect(head.body).toBeUndefined();
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(100);
  expect(get.headers.get("content-type")).toBe("application/json; charset=utf-8");
});

test("RFC 9110 section 9.3.7: OPTIONS lists the methods of a path", async () => {
  expect((await send("OPTIONS", "/v1/query/types")).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  expect((await send("OPTIONS", "/v1/websites/x/data")).headers.get("allow")).toBe("DELETE, OPTIONS");
});

test("section 9: JSON is served over HTTP/2 without TLS as well", async () => {
  const session = connectHttp2(inject("lookout").baseUrl);
  try {
    const stream = session.request({ ":path": "/healthz" });
    stream.setEncoding("utf8");
    let text = "";
    for await (const part of stream) text += part;
    expect(JSON.parse(text)).toEqual({ status: "ok" });
  } finally {
    session.close();
  }
});

test("limits: a request with too large headers gets 431 and the common error body", async () => {
  const answer = await send("GET", "/healthz", { headers: { "x-large": "x".repeat(20_000) } });
  expect(answer.status).toBe(431);
  expect(answer.body).toEqual({
    success: false,
    error: "The request's headers are too large",
    code: "VALIDATION_ERROR",
    requestId: expect.stringMatching(/^req_/),
  });
});

test("limits: input that is not HTTP gets 400 and the connection is closed", async () => {
  const text = await raw("\u0016\u0003\u0001garbage\r\n\r\n");
  expect(text).toContain("HTTP/1.1 400 Bad Request");
  expect(text).toContain('"error":"The request is not valid HTTP/1.1"');
});

test("limits: the preface and the request line may arrive one byte at a time", async () => {
  const socket = connect(Number(new URL(inject("lookout").baseUrl).port), "127.0.0.1");
  const answered = new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));
  for (const character of "POST /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n") {
    socket.write(character);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await answered).toContain("HTTP/1.1 404");
  socket.destroy();
});

test("part 2: /readyz names each store, /metrics is Prometheus text", async () => {
  // Other tests fill the disk, and keep QuestDB busy.
  expect(await send("GET", "/readyz")).toMatchObject({
    status: 200,
    body: {
      status: expect.stringMatching(/^(ok|degraded)$/),
      stores: { questdb: "ok", postgres: "ok", temporal: "ok" },
      log: { state: "ok", lagMs: expect.any(Number) },
      disks: { data: { freeBytes: expect.any(Number) } },
      states: expect.any(Array),
    },
  });
  const metrics = await fetch(`${inject("lookout").baseUrl}/metrics`);
  expect(await metrics.text()).toContain("lookout_requests_total{");
});

function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(inject("lookout").baseUrl).port), "127.0.0.1", () =>
      socket.write(text, "latin1"),
    );
    let answer = "";
    socket.on("data", (data) => {
      answer += data.toString();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
