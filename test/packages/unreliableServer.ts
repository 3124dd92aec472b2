import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { ErrorInfoSchema, RetryInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { LinkService } from "../../src/gen/lookout/v1/links_pb.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { listen } from "./closableServer.ts";

export type UnreliableServer = {
  /** Over HTTP/1.1, for Connect. */
  readonly baseUrl: string;
  /** Over HTTP/2 without TLS, for gRPC. */
  readonly grpcUrl: string;
  close(): Promise<void>;
};

/**
 * Starts servers of which some calls fail, as the API key says: busy fails twice, with a delay to wait, and answers the third try; far
 * asks to wait longer than a client does. lost does what it is asked, but its first answer does not arrive. Others are answered. The
 * answer's header x-tries says how often the call with this key was tried. A watch sends one message and stays open.
 */
export async function startUnreliableServer(): Promise<UnreliableServer> {
  const tries = new Map<string, string[]>();
  const handler = connectNodeAdapter({ routes: (router) => routes(router, tries) });
  const http1 = await listen(createServer(handler));
  const http2 = await listen(createHttp2Server(handler));
  return {
    baseUrl: http1.url,
    grpcUrl: http2.url,
    close: async () => {
      await Promise.all([http1.close(), http2.close()]);
    },
  };
}

function routes(router: ConnectRouter, tries: Map<string, string[]>): void {
  const seen = (context: HandlerContext): readonly string[] => {
    const key = context.requestHeader.get("authorization")?.replace("Bearer ", "") ?? "";
    const keys = [...(tries.get(key) ?? []), context.requestHeader.get("idempotency-key") ?? "none"];
    tries.set(key, keys);
    context.responseHeader.set("x-tries", String(keys.length));
    if (key.startsWith("busy") && keys.length < 3) throw busy(50);
    if (key.startsWith("far")) throw busy(61_000);
    if (key.startsWith("lost") && keys.length < 2) throw new ConnectError("The answer is lost", Code.Unavailable);
    return keys;
  };
  router.service(QueryService, {
    query: (_, context) => {
      seen(context);
      return { single: {} };
    },
    async *watch(_, context) {
      seen(context);
      yield { answer: {} };
      await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
    },
  });
  router.service(LinkService, {
    // The slug says how many links the tries have made: one for each key.
    createLink: (_, context) => {
      const keys = seen(context);
      return { link: { slug: `${new Set(keys).size} of ${keys.length}` } };
    },
  });
}

function busy(waitMs: number): ConnectError {
  const details = [
    { desc: ErrorInfoSchema, value: { reason: "SERVICE_UNAVAILABLE", domain: "lookout.v1" } },
    {
      desc: RetryInfoSchema,
      value: { retryDelay: { seconds: BigInt(Math.floor(waitMs / 1_000)), nanos: (waitMs % 1_000) * 1e6 } },
    },
  ];
  return new ConnectError("The service is busy", Code.Unavailable, undefined, details);
}
