import { expect, test } from "vitest";
import { checkedTarget } from "./checkedTarget.ts";
import { check } from "./checkUrl.ts";
import { startRawTarget, startTarget } from "./targetServer.ts";

const { at, requests, closeLater } = checkedTarget();

/** The address of a server that answers with these bytes and closes the connection. */
async function answering(...parts: readonly string[]): Promise<string> {
  const { port, close } = await startRawTarget((socket) => {
    socket.once("data", () => socket.end(Buffer.from(parts.join(""), "latin1")));
  });
  closeLater(close);
  return `http://127.0.0.1:${port}/`;
}

const longHeaders = `X-Long: ${"a".repeat(4_000)}\r\n`.repeat(20);

test.each([
  ["lines that end in LF", ["HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"]],
  ["bytes after the body", ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "\r\nmore"]],
  [
    "bytes after the body and the end of the connection",
    ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello", "more"],
  ],
  [
    "chunks with a Content-Length",
    ["HTTP/1.1 200 OK\r\nContent-Length: 50\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n"],
  ],
  ["a header in two lines", ["HTTP/1.1 200 OK\r\nX-A: a\r\n  b\r\nContent-Length: 5\r\n\r\nhello"]],
  ["headers of 80 kB", ["HTTP/1.1 200 OK\r\n", longHeaders, "Content-Length: 5\r\n\r\nhello"]],
  ["an unknown Content-Encoding", ["HTTP/1.1 200 OK\r\nContent-Encoding: utf-8\r\nContent-Length: 5\r\n\r\nhello"]],
] as const)("part 2: an answer that browsers accept is up: %s", async (_name, parts) => {
  const outcome = await check(await answering(...parts), { keyword: "hello" });
  expect(outcome.error).toBeUndefined();
  expect(outcome).toMatchObject({ status: "up", httpCode: 200, responseBytes: 5 });
});

test.each([
  ["hello\r\n\r\n", "the answer is not HTTP"],
  ["HTTP/1.1 2x0 OK\r\n\r\n", "the answer's status is not a number of three digits"],
  [
    "HTTP/1.1 200 OK\r\nX Y : 1\r\n\r\n",
    "a header of the answer has no colon, or a character that HTTP forbids in its name",
  ],
  [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "the answer has more than one Content-Length",
  ],
  ["HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello", "the answer's Content-Length is not a number"],
  ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfive\r\nhello\r\n", "the answer's chunks have no valid size"],
  ["HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello", "the connection was closed before the answer was complete"],
  [`HTTP/1.1 200 OK\r\n${longHeaders.repeat(4)}\r\n`, "the answer's headers are larger than 256 kB"],
])("part 2: an answer that is refused says what is wrong: %#", async (answer, error) => {
  expect(await check(await answering(answer))).toMatchObject({ status: "down", error });
});

test("part 2: a missing keyword names a Content-Encoding that is unknown", async () => {
  const url = await answering("HTTP/1.1 200 OK\r\nContent-Encoding: sdch\r\n\r\nhello");
  expect(await check(url, { keyword: "good bye" })).toMatchObject({
    status: "down",
    error: 'the keyword "good bye" was not found; its Content-Encoding sdch is unknown',
  });
});

test.each([
  ["UTF-8", Buffer.from("/schön?ä=ö").toString("latin1"), "/sch%C3%B6n?%C3%A4=%C3%B6"],
  ["Latin-1", "/sch\u00f6n", "/sch%F6n"],
])("part 2: a Location in raw %s is followed as browsers do", async (_name, location, path) => {
  const paths: string[] = [];
  const { port, close } = await startRawTarget((socket) => {
    socket.once("data", (request) => {
      const asked = request.toString("latin1").split(" ")[1] ?? "";
      paths.push(asked);
      const head = asked === "/" ? `302 Found\r\nLocation: ${location}` : "200 OK";
      socket.end(Buffer.from(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`, "latin1"));
    });
  });
  closeLater(close);
  expect(await check(`http://127.0.0.1:${port}/`)).toMatchObject({ status: "up" });
  expect(paths).toEqual(["/", path]);
});

test("part 2: HTTP/2 answers may be longer than is read, and have many headers", async () => {
  const { port, close } = await startTarget({ tls: "good", http2: true });
  closeLater(close);
  expect(await check(`https://localhost:${port}/huge/5000000`)).toMatchObject({
    status: "up",
    responseBytes: 1_000_000,
  });
  expect(await check(`https://localhost:${port}/headers/300`)).toMatchObject({ status: "up", httpCode: 200 });
});

test("part 2: cookies are kept within a check, for their own site, besides those of the monitor", async () => {
  expect(await check(at("needsCookie"), { keyword: "sid=1" })).toMatchObject({ status: "up" });
  const own = await check(at("needsCookie"), { headers: { Cookie: "mine=3" }, keyword: "cookies: mine=3; sid=1" });
  expect(own).toMatchObject({ status: "up" });
  const { port, close } = await startTarget();
  closeLater(close);
  // Another host; ports do not keep cookies apart (RFC 6265 8.5).
  const elsewhere = encodeURIComponent(`http://localhost:${port}/cookies`);
  expect(await check(at(`setsCookie/${elsewhere}`), { keyword: "cookies: none" })).toMatchObject({ status: "up" });
  expect(await check(at("cookies"), { keyword: "cookies: none" })).toMatchObject({ status: "up" });
});

test("part 2: a second attempt begins without the cookies of the first", async () => {
  const outcome = await check(at("needsCookie"), { keyword: "nowhere" }, { recheck: true });
  expect(outcome).toMatchObject({ status: "down", attempts: 2 });
  const asked = requests()
    .filter(({ path }) => path === "/needsCookie")
    .slice(-4);
  expect(asked.map(({ headers }) => headers.cookie)).toEqual([undefined, "sid=1", undefined, "sid=1"]);
});

test.each([
  ["text/event-stream", "data: 1\n\n", "", "up", undefined],
  ["text/event-stream; charset=utf-8", "data: all is well\n\n", "is well", "up", undefined],
  ["text/event-stream", "data: 1\n\n", "is well", "down", /the keyword "is well" was not found in the first \d+ bytes/],
  ["audio/mpeg", "ID3", "", "up", undefined],
  ["multipart/x-mixed-replace; boundary=b", "--b", "", "up", undefined],
  ["text/html", "<p>", "", "down", "no answer within 4000 ms, while reading the answer"],
])(
  "part 2: a stream that never ends is judged by what arrived: %s %j with keyword %j",
  async (type, text, keyword, status, error) => {
    const url = at(`endless/${encodeURIComponent(`${type}|${text}`)}`);
    const outcome = await check(url, { keyword, timeoutMs: 4_000 });
    expect(outcome).toMatchObject({ status, httpCode: 200 });
    if (error === undefined) expect(outcome.error).toBeUndefined();
    else expect(outcome.error).toMatch(error);
  },
);
