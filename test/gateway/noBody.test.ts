import { once } from "node:events";
import { connect } from "node:net";
import { expect, inject, test } from "vitest";

/** What the server sends back over one connection, which the last request closes. */
async function exchange(requests: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(inject("lookout").baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let text = "";
  socket.on("data", (part: Buffer) => {
    text += part.toString();
  });
  socket.write(requests.join(""));
  await once(socket, "close");
  return text;
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** RFC 9112, section 6.3: neither Content-Length nor Transfer-Encoding means that there is no body. */
test.each(["/l/no-such-link", "/batch", "/track", "/auth/sign-in", "/lookout.v1.QueryService/ListQueryTypes"])(
  "a POST to %s without Content-Length has an empty body, and its connection stays open",
  async (path) => {
    const post = (headers: string) =>
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}\r\n`;
    const last = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    const [empty, ...rest] = statusesOf(await exchange([post("content-length: 0\r\n"), last]));
    expect(rest).toEqual([200]);
    expect(statusesOf(await exchange([post(""), post(""), last]))).toEqual([empty, empty, 200]);
  },
);
