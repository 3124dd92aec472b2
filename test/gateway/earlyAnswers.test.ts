import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { startOwnServer } from "../kit/stack/ownServer.ts";

const limitBytes = 1_048_576;
const pieceBytes = 16_384;

/**
 * Sends the start of a body until it is answered, and then what is left of it; resolves to the status, or to the error that broke the connection before the end
 * of the body. A client that reads last finds no answer on a connection that is broken.
 */
async function sendToTheEnd(bytes: number, requestLine: string, header = "", port = sharedPort()): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let error: NodeJS.ErrnoException | undefined;
  let text = "";
  socket.on("error", (thrown) => {
    error = thrown;
  });
  socket.on("data", (part: Buffer) => {
    text += part.toString();
  });
  await once(socket, "connect");
  const write = (data: string) => new Promise((resolve) => socket.write(data, resolve));
  await write(
    `${requestLine}\r\nhost: x\r\n${header}content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
  );
  // Three quarters are more than the limit of a body that is too large, and else the answer does not wait for them.
  const firstBytes = bytes * 0.75;
  let sentBytes = 0;
  for (; sentBytes < bytes && error === undefined; sentBytes += pieceBytes) {
    if (sentBytes > firstBytes && text === "") await once(socket, "data");
    await write("x".repeat(Math.min(pieceBytes, bytes - sentBytes)));
    // Time for a reset to arrive.
    await nextTurn();
  }
  if (error === undefined) socket.end();
  if (!socket.destroyed) await once(socket, "close");
  return error?.code ?? /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? "nothing";
}

function sharedPort(): number {
  return Number(new URL(inject("lookout").baseUrl).port);
}

test("RFC 9112, 9.6: a client that sends a body to its end after the answer that it is too large is not reset", async () => {
  expect(await sendToTheEnd(3 * limitBytes, "POST /batch HTTP/1.1")).toBe("413");
});

test.each([
  ["HTTP/1.0", ""],
  ["HTTP/1.1", "connection: close\r\n"],
])(
  "RFC 9112, 9.6: nor is it after another answer with which the connection closes, over %s",
  async (version, header) => {
    expect(await sendToTheEnd(limitBytes - 1, `POST /no/such/path ${version}`, header)).toBe("404");
    expect(await sendToTheEnd(limitBytes - 1, `POST /websites/list ${version}`, header)).toBe("401");
  },
);

test("RFC 9112, 9.6: more than 8 MiB over the limit, and a body that takes too long, are not waited for", async () => {
  const reset = expect.stringMatching(/^(ECONNRESET|EPIPE)$/);
  expect(await sendToTheEnd(20 * limitBytes, "POST /batch HTTP/1.1")).toEqual(reset);
  const server = await startOwnServer({}, {}, { server: { headersTimeoutMs: 300, requestTimeoutMs: 300 } });
  const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  const broken = once(socket, "close").catch(() => undefined);
  socket.write("POST /no/such/path HTTP/1.0\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\n");
  // It goes on sending after it was told the end of the answer.
  const sending = setInterval(() => socket.write("x"), 1);
  await broken;
  clearInterval(sending);
  await server.close();
});
