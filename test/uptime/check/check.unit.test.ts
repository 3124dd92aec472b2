import { expect, test } from "vitest";
import { parseAddressRanges } from "../../../src/outbound/addressRanges.ts";
import { checkedTarget } from "./checkedTarget.ts";
import { check, maxBodyBytes } from "./checkUrl.ts";
import { type CertificateName, startRawTarget, startTarget, type TargetServer } from "./targetServer.ts";

const { at, requests, port: plainPort, closeLater } = checkedTarget();

async function secure(tls: CertificateName, http2 = false): Promise<TargetServer> {
  const server = await startTarget({ tls, http2 });
  closeLater(server.close);
  return server;
}

test("part 2: a successful answer has its status, size and phases", async () => {
  const outcome = await check(at("ok"));
  expect(outcome).toMatchObject({ status: "up", httpCode: 200, responseBytes: 11, attempts: 1, tlsMs: 0 });
  expect(outcome.error).toBeUndefined();
  expect(outcome.sslValid).toBeUndefined();
  expect(outcome.ttfbMs).toBeGreaterThan(0);
  expect(outcome.totalMs).toBeGreaterThanOrEqual(outcome.ttfbMs);
  expect(outcome.ttfbMs).toBeGreaterThanOrEqual(outcome.connectMs);
});

test.each([
  ["an error status is down", "status/500", {}, "down", 500, "HTTP status 500, expected 200-299"],
  ["a missing page is down", "status/404", {}, "down", 404, "HTTP status 404, expected 200-299"],
  ["a status that is expected is up", "status/404", { expectedStatus: ["404"] }, "up", 404, undefined],
  ["a class of statuses is expected", "status/503", { expectedStatus: ["200", "5xx"] }, "up", 503, undefined],
  ["a keyword that is there", "ok", { keyword: "is well" }, "up", 200, undefined],
  ["a keyword that is missing", "ok", { keyword: "is bad" }, "down", 200, 'the keyword "is bad" was not found'],
  ["a packed keyword", "gzip", { keyword: "keyword" }, "up", 200, undefined],
  ["a keyword packed with brotli", "brotli", { keyword: "keyword" }, "up", 200, undefined],
  ["a keyword packed without the zlib format", "rawDeflate", { keyword: "keyword" }, "up", 200, undefined],
  ["a slow answer is degraded", "slow/300", { degradedAfterMs: 100 }, "degraded", 200, /took \d+ ms, more than 100 ms/],
  [
    "no answer in time is down",
    "hang",
    { timeoutMs: 300 },
    "down",
    0,
    "no answer within 300 ms, while waiting for the answer",
  ],
  [
    "an answer that stops is down",
    "hangInBody",
    { timeoutMs: 300 },
    "down",
    200,
    "no answer within 300 ms, while reading the answer",
  ],
  ["a reset connection is down", "reset", {}, "down", 0, "the connection was reset"],
  ["ten redirects are followed", "chain/10", {}, "up", 200, undefined],
  ["eleven are not", "chain/11", {}, "down", 307, "more than 10 redirects"],
  ["a loop ends", "loop", {}, "down", 301, "more than 10 redirects"],
  ["a redirect may be what is expected", "loop", { expectedStatus: ["301"] }, "up", 301, undefined],
] as const)("part 2: %s", async (_name, path, more, status, httpCode, error) => {
  const outcome = await check(at(path), more);
  expect(outcome).toMatchObject({ status, httpCode });
  if (error === undefined) expect(outcome.error).toBeUndefined();
  else expect(outcome.error).toMatch(error);
});

test("part 2: a huge answer is read up to the limit only", async () => {
  expect(await check(at("huge/5000000"))).toMatchObject({ status: "up", responseBytes: maxBodyBytes });
  expect(await check(at("huge/5000000"), { keyword: "y" })).toMatchObject({ status: "down" });
});

test("part 2: an answer that decompresses to more than the limit is refused", async () => {
  const outcome = await check(at("bomb/50000000"), { keyword: "x" });
  expect(outcome).toMatchObject({ status: "down", error: /larger than 1000000 bytes unpacked/ });
});

const hexOf = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding).toString("hex");

test.each([
  ["UTF-8 by default", "text/html", hexOf("Grüße")],
  ["a charset of the Content-Type", "text/html; charset=iso-8859-1", hexOf("Grüße", "latin1")],
  ["a charset in quotes, also of JSON", 'application/json;charset="windows-1252"', hexOf("Grüße", "latin1")],
  ["a charset that only the page names", "text/html", hexOf('<head><meta charset="windows-1252">Grüße', "latin1")],
  [
    "one in the older form",
    "text/html",
    hexOf('<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-15">Grüße', "latin1"),
  ],
  ["a byte order mark, whatever else is said", "text/html; charset=iso-8859-1", `efbbbf${hexOf("Grüße")}`],
  ["UTF-16 by its mark", "text/plain", `fffe${hexOf("Grüße", "utf16le")}`],
  ["an unknown charset as UTF-8", "text/html; charset=klingon", hexOf("Grüße")],
])("part 2: a keyword is found as browsers read the answer: %s", async (_name, type, hex) => {
  const path = `bytes/${encodeURIComponent(`${type}|${hex}`)}`;
  expect(await check(at(path), { keyword: "Grüße" })).toMatchObject({ status: "up" });
});

test("part 2: JSON may begin with a byte order mark", async () => {
  const path = `bytes/${encodeURIComponent(`application/json|efbbbf${hexOf('{"status":"ok"}')}`)}`;
  const assertions = [{ path: "$.status", operator: "eq" as const, value: "ok" }];
  expect(await check(at(path), { jsonParsingConfig: { enabled: true, assertions } })).toMatchObject({ status: "up" });
});

test.each([
  ["holds", '{"status":"ok","checks":[{"n":3}]}', [{ path: "$.status", operator: "eq", value: "ok" }], undefined],
  ["finds an item", '{"checks":[{"n":3}]}', [{ path: "$.checks[0].n", operator: "gte", value: 3 }], undefined],
  ["counts from the end", '{"a":[1,2]}', [{ path: "$.a[-1]", operator: "eq", value: 2 }], undefined],
  [
    "fails and says which",
    '{"status":"bad"}',
    [{ path: "$.status", operator: "eq", value: "ok" }],
    'JSON assertion failed: $.status must be eq "ok", found "bad"',
  ],
  [
    "fails for a missing member",
    "{}",
    [{ path: "$.status", operator: "exists" }],
    "JSON assertion failed: $.status must exist, found nothing",
  ],
  [
    "shows characters that turn text as their codes",
    JSON.stringify({ status: "bad\u202e\u009b" }),
    [{ path: "$.status", operator: "eq", value: "ok" }],
    'JSON assertion failed: $.status must be eq "ok", found "bad\\u202e\\u009b"',
  ],
  ["counts the items of a list", '{"queue":[1,2]}', [{ path: "$.queue.length", operator: "lt", value: 3 }], undefined],
  ["prefers a member of that name", '{"length":7}', [{ path: "$.length", operator: "eq", value: 7 }], undefined],
  ["differs from another value", '{"status":"up"}', [{ path: "$.status", operator: "ne", value: "down" }], undefined],
  [
    "does not hold for a member that is missing",
    "{}",
    [{ path: "$.status", operator: "ne", value: "down" }],
    /found nothing/,
  ],
  ["knows no inherited member", "{}", [{ path: "$.constructor", operator: "exists" }], /found nothing/],
  ["fails for what is no JSON", "<html>", [{ path: "$.status", operator: "exists" }], "the answer is not JSON"],
] as const)("part 2: a JSON assertion %s", async (_name, document, assertions, error) => {
  const outcome = await check(at(`json/${encodeURIComponent(document)}`), {
    jsonParsingConfig: { enabled: true, assertions: [...assertions] },
  });
  expect(outcome.status).toBe(error === undefined ? "up" : "down");
  if (error !== undefined) expect(outcome.error).toMatch(error);
});

test("part 2: JSON assertions that are not enabled do not count", async () => {
  const assertions = [{ path: "$.status", operator: "exists" as const }];
  expect(await check(at("ok"), { jsonParsingConfig: { enabled: false, assertions } })).toMatchObject({ status: "up" });
});

test("part 2: cacheBust makes each URL different", async () => {
  await check(at("ok?a=1"), { cacheBust: true });
  await check(at("ok?a=1"), { cacheBust: true });
  const [first, second] = requests()
    .slice(-2)
    .map(({ path }) => path);
  expect(first).toMatch(/^\/ok\?a=1&_cb=[0-9a-f]{16}$/);
  expect(second).not.toBe(first);
});

test("part 2: method, headers and body are sent, and not to another host", async () => {
  const other = await startTarget();
  closeLater(other.close);
  const elsewhere = encodeURIComponent(`http://127.0.0.1:${other.port}/ok`);
  const headers = { Authorization: "Bearer secret", "X-Token": "secret" };
  await check(at(`redirect/${elsewhere}`), { method: "POST", headers, body: '{"a":1}' });
  expect(requests().at(-1)).toMatchObject({
    method: "POST",
    body: '{"a":1}',
    headers: { authorization: "Bearer secret", "x-token": "secret" },
  });
  expect(other.requests).toHaveLength(1);
  expect(other.requests[0]).toMatchObject({ method: "GET", body: "" });
  expect(JSON.stringify(other.requests[0]?.headers)).not.toContain("secret");
});

test("part 2: a failure that a retry does not repeat is degraded", async () => {
  const outcome = await check(at("flap"), {}, { recheck: true });
  expect(outcome).toMatchObject({
    status: "degraded",
    httpCode: 200,
    attempts: 2,
    error: /^at first: HTTP status 500/,
  });
  expect(await check(at("status/500"), {}, { recheck: true })).toMatchObject({ status: "down", attempts: 2 });
});

test("part 2: a valid certificate is reported with its expiry", async () => {
  const { port } = await secure("good");
  const outcome = await check(`https://localhost:${port}/ok`);
  expect(outcome).toMatchObject({ status: "up", sslValid: true, sslExpiryMs: Date.UTC(2125, 0, 1) });
  expect(outcome.tlsMs).toBeGreaterThan(0);
});

test.each([
  ["expired", "the certificate has expired", Date.UTC(2021, 0, 1)],
  ["otherHost", "the certificate is for another host name", Date.UTC(2125, 0, 1)],
  ["addressOnly", "the certificate is for another host name", Date.UTC(2125, 0, 1)],
  [
    "commonName",
    "the certificate has no subjectAltName, and browsers do not take the common name for a host name",
    Date.UTC(2125, 0, 1),
  ],
  ["selfSigned", "the certificate is self-signed", expect.any(Number)],
] as const)(
  "part 2: a certificate that is %s is down, and its expiry is reported",
  async (name, error, sslExpiryMs) => {
    const { port, requests } = await secure(name);
    expect(await check(`https://localhost:${port}/ok`)).toMatchObject({
      status: "down",
      httpCode: 0,
      sslValid: false,
      sslExpiryMs,
      error,
    });
    expect(requests).toHaveLength(0);
  },
);

test("part 2: HTTP/2 is used if the server supports it", async () => {
  const { port, requests } = await secure("good", true);
  expect(await check(`https://localhost:${port}/ok`)).toMatchObject({ status: "up", httpCode: 200, responseBytes: 11 });
  expect(requests.at(-1)).toMatchObject({ method: "GET", path: "/ok" });
  const old = await secure("good");
  expect(await check(`https://localhost:${old.port}/ok`, { httpVersion: "2" })).toMatchObject({ status: "down" });
  expect(await check(`https://localhost:${old.port}/ok`, { httpVersion: "1.1" })).toMatchObject({ status: "up" });
});

test("part 2: an answer that is not HTTP, or no server at all, is down", async () => {
  const noise = await startRawTarget((socket) => socket.end("hello\r\n\r\n"));
  closeLater(noise.close);
  expect(await check(`http://127.0.0.1:${noise.port}/`)).toMatchObject({
    status: "down",
    error: "the answer is not HTTP",
  });
  expect(await check(`https://127.0.0.1:${noise.port}/`)).toMatchObject({
    status: "down",
    error: "the TLS handshake failed",
  });
  const gone = await startRawTarget(() => undefined);
  await gone.close();
  expect(await check(`http://127.0.0.1:${gone.port}/`)).toMatchObject({
    status: "down",
    error: "the connection was refused",
  });
  expect(await check("http://no-such-host.invalid/", { timeoutMs: 3_000 })).toMatchObject({
    status: "down",
    httpCode: 0,
  });
});

test.each([
  "http://127.0.0.1:PORT/ok",
  "http://localhost:PORT/ok",
  "http://[::1]:PORT/ok",
  "http://[::ffff:127.0.0.1]:PORT/ok",
  "http://[64:ff9b::7f00:1]:PORT/ok",
  "http://2130706433:PORT/ok",
  "http://0x7f.1:PORT/ok",
  "http://169.254.169.254/latest/meta-data/",
  "http://10.0.0.1/",
  "http://192.168.1.1/",
  "http://100.64.0.1/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::1]/",
  "http://0.0.0.0:PORT/ok",
])("part 1: a check of %s is refused unless the operator opens the range", async (url) => {
  const before = requests().length;
  const outcome = await check(url.replace("PORT", String(plainPort())), {}, { allowed: parseAddressRanges("") });
  expect(outcome).toMatchObject({ status: "down", httpCode: 0, error: /not public/ });
  expect(requests()).toHaveLength(before);
});

test("part 1: a redirect cannot lead to an address that checks may not reach", async () => {
  const allowed = parseAddressRanges("127.0.0.1/32");
  const inner = encodeURIComponent("http://127.0.0.2/secret");
  expect(await check(at(`redirect/${inner}`), {}, { allowed })).toMatchObject({ status: "down", error: /not public/ });
  const file = encodeURIComponent("file:///etc/passwd");
  expect(await check(at(`redirect/${file}`), {}, { allowed })).toMatchObject({ status: "down", error: /file:/ });
});
