import { once } from "node:events";
import { createServer } from "node:net";

/** A port of 127.0.0.1 that nothing listens on, for servers that must know their own address. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
