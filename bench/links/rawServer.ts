/** The baseline: node:http that answers a redirect, and nothing else. */
import { createServer } from "node:http";
import { targetUrl } from "./target.ts";

const server = createServer((_, response) => {
  response.writeHead(302, { location: targetUrl, "cache-control": "private, no-store", "content-length": 0 });
  response.end();
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ ready: { port: address.port } });
});
process.on("disconnect", () => process.exit());
