/** The baseline: node:http that answers the same bytes as a static file kept in memory. Argument: the file. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const body = readFileSync(process.argv[2] ?? "");

const server = createServer((_, response) => {
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "content-encoding": "gzip",
    "cache-control": "public, max-age=5",
    "content-length": body.length,
  });
  response.end(body);
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ ready: { port: address.port } });
});
process.on("disconnect", () => process.exit());
