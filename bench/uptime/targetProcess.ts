/** A server to check, in a process of its own: answers immediately, except to paths below /hang, which it never answers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  if (!request.url?.startsWith("/hang")) response.end("well");
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 2_048 }, () => {
  // A server that listens on TCP has this kind of address.
  const { port } = server.address() as AddressInfo;
  process.send?.({ port });
});
process.on("disconnect", () => process.exit());
