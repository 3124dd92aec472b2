import { createServer } from "node:http";
import { constants, createServer as createHttp2Server } from "node:http2";
import type { Server } from "node:net";
import { listen } from "./closableServer.ts";

export type BrokenServer = {
  /**
   * Over HTTP/1.1. Fails in a way that the path begins with: /cut ends in the middle of an answer, /hang never answers, /other is
   * not Lookout, and /proxy answers 503 as a proxy does whose service is being restarted.
   */
  readonly baseUrl: string;
  /**
   * Over HTTP/2 without TLS, for gRPC, whose paths are fixed. Fails in a way that the API key names: the ones above, and reset, which
   * ends the answer with an error of HTTP/2.
   */
  readonly grpcUrl: string;
  close(): Promise<void>;
};

/** Starts servers that fail on purpose. */
export async function startBrokenServer(): Promise<BrokenServer> {
  const http1 = await listen(httpServer());
  const http2 = await listen(grpcServer());
  return {
    baseUrl: http1.url,
    grpcUrl: http2.url,
    close: async () => {
      await Promise.all([http1.close(), http2.close()]);
    },
  };
}

/** A delay that no client waits for. */
const restarting = { "content-type": "text/html", "retry-after": "61" };

function httpServer(): Server {
  return createServer((request, response) => {
    const [, how] = request.url?.split("/") ?? [];
    if (how === "hang") return;
    if (how === "cut") {
      const type = request.headers["content-type"] ?? "application/json";
      response.writeHead(200, { "content-type": type, "content-length": 1_000 });
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    } else if (how === "proxy") response.writeHead(503, restarting).end("<html></html>");
    else response.writeHead(200, { "content-type": "text/html" }).end("<html></html>");
  });
}

function grpcServer(): Server {
  const server = createHttp2Server();
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    const how = headers.authorization?.replace("Bearer ", "");
    if (how === "hang") return;
    if (how === "other" || how === "proxy") {
      stream.respond(
        how === "proxy" ? { ":status": 503, ...restarting } : { ":status": 200, "content-type": "text/html" },
      );
      stream.end("<html></html>");
      return;
    }
    stream.respond({ ":status": 200, "content-type": "application/grpc+proto" });
    // A message of 1,000 bytes, of which one comes.
    stream.write(Buffer.from([0, 0, 0, 3, 232, 10]));
    if (how === "reset") stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    else stream.end();
  });
  return server;
}
