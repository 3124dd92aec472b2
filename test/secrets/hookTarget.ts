import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** A server whose /target is down, so that monitors of it notify the hooks, which are its other paths. */
export type HookTarget = { readonly port: number; at(path: string): Received[]; close(): Promise<void> };

export async function startHookTarget(): Promise<HookTarget> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, headers: request.headers, body: Buffer.concat(parts).toString() });
      response.statusCode = path.startsWith("/target") ? 503 : 200;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    at: (path) => received.filter((message) => message.path.startsWith(path)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
