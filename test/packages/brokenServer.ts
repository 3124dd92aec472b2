import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type BrokenServer = {
  readonly baseUrl: string;
  close(): Promise<void>;
};

/**
 * Fails in a way that the path begins with: /cut ends in the middle of an answer, /hang never answers, and /other is
 * not Lookout.
 */
export async function startBrokenServer(): Promise<BrokenServer> {
  const server = createServer((request, response) => {
    const [, how] = request.url?.split("/") ?? [];
    if (how === "hang") return;
    if (how === "cut") {
      const type = request.headers["content-type"] ?? "application/json";
      response.writeHead(200, { "content-type": type, "content-length": 1_000 });
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    } else response.writeHead(200, { "content-type": "text/html" }).end("<html></html>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
