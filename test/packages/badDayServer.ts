import { createServer, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, Http2ServerResponse } from "node:http2";
import { connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { IngestService, type TrackRequest } from "../../src/gen/lookout/v1/ingest_pb.ts";
import { LinkService } from "../../src/gen/lookout/v1/links_pb.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { listen } from "./closableServer.ts";
import { exportRoutes } from "./exportRoutes.ts";
import { idleProxy, quietWatch } from "./idleProxy.ts";

export type BadDayServer = {
  /** Over HTTP/1.1, for Connect. */
  readonly baseUrl: string;
  /** Over HTTP/2 without TLS, for gRPC. */
  readonly grpcUrl: string;
  /** The same, but its first connection says nothing more after a moment, and does not end. */
  readonly silentUrl: string;
  /** Both through a proxy that ends connections on which nothing is sent. */
  readonly idleUrl: string;
  readonly idleGrpcUrl: string;
  close(): Promise<void>;
};

/**
 * Starts a server that does what it is asked, but whose answers get lost: the connection ends instead of the first answer of each API key, and
 * for keys that begin with `always` instead of every one. A watch sends a message, breaks off, and is refused once, before it goes on; of keys
 * with `quiet` it stays open instead and sends one message that keeps it alive, and of keys with `mute` nothing but this message.
 * With `idle` it answers twice, and sends signs of life in between for longer than idleProxy allows a quiet connection. Keys that begin with `late` are answered 503 once, with a date in Retry-After, and `busy` always, with 20 s. The name of a link and the status of a
 * batch say what has arrived. Keys that begin with `down` and a number are answered 503 so often, and with `denied` ACCESS_DENIED; an event named `refused` is wrong.
 */
export async function startBadDayServer(): Promise<BadDayServer> {
  const arrived = new Map<string, string[]>();
  const handler = connectNodeAdapter({ routes: (router) => routes(router, arrived) });
  const lost = new Set<string>();
  const refused = new Map<string, number>();
  const take = (headers: Record<string, unknown>, path: string, response: ServerResponse | Http2ServerResponse) => {
    const key = `${headers["authorization"]}`.replace("Bearer ", "");
    const isFirst = !lost.has(key);
    if (path.endsWith("/Watch")) return;
    lost.add(key);
    if (key.startsWith("late") && isFirst) return refuse(response, new Date(Date.now() + 1_000).toUTCString());
    if (key.startsWith("busy")) return refuse(response, "20");
    const refusals = (refused.get(key) ?? 0) + 1;
    refused.set(key, refusals);
    if (refusals <= Number(/^down (\d+)/.exec(key)?.[1] ?? 0)) return refuse(response, "0");
    if ((key.startsWith("lost") && isFirst) || key.startsWith("always")) loseAnswer(response);
    return;
  };
  const http1 = await listen(
    createServer((request, response) => {
      if (take(request.headers, request.url ?? "", response) !== true) handler(request, response);
    }),
  );
  const http2 = await listen(
    createHttp2Server((request, response) => {
      if (take(request.headers, request.url, response) !== true) handler(request, response);
    }),
  );
  const silent = await listen(silentAfterAMoment(http2.port));
  const idle = await listen(idleProxy(http1.port));
  const idleGrpc = await listen(idleProxy(http2.port));
  const servers = [http1, http2, silent, idle, idleGrpc];
  return {
    baseUrl: http1.url,
    grpcUrl: http2.url,
    silentUrl: silent.url,
    idleUrl: idle.url,
    idleGrpcUrl: idleGrpc.url,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function refuse(response: ServerResponse | Http2ServerResponse, retryAfter: string): true {
  response.statusCode = 503;
  response.setHeader("retry-after", retryAfter);
  response.end();
  return true;
}

function loseAnswer(response: ServerResponse | Http2ServerResponse): void {
  const end = () => {
    if (response instanceof Http2ServerResponse) response.stream.session?.destroy();
    else response.socket?.destroy();
    return response;
  };
  Object.assign(response, { writeHead: end, write: end, end });
}

function routes(router: ConnectRouter, arrived: Map<string, string[]>): void {
  /** All that has arrived with this API key. */
  const note = (context: HandlerContext, what: string): string[] => {
    const key = context.requestHeader.get("authorization") ?? "";
    arrived.set(key, [...(arrived.get(key) ?? []), what]);
    context.responseHeader.set("x-agent", context.requestHeader.get("user-agent") ?? "");
    return arrived.get(key) ?? [];
  };
  exportRoutes(router);
  router.service(IngestService, {
    track: (request, context) => ({ status: summary(note(context, idsOf(request))), count: 1 }),
    batch: (request, context) => {
      if (context.requestHeader.get("authorization")?.includes("denied"))
        throw new ConnectError("The key lacks the scope", Code.PermissionDenied, undefined, [
          { desc: ErrorInfoSchema, value: { reason: "ACCESS_DENIED", domain: "lookout.v1" } },
        ]);
      const ids = request.events.map(({ payload }) => payload.value?.eventId ?? "none");
      const results = request.events.map(({ payload }) =>
        payload.case === "flat" && payload.value.name === "refused"
          ? { status: "error", message: "the name is refused" }
          : { status: "success" },
      );
      return { status: summary(note(context, ids.join())), results };
    },
  });
  router.service(LinkService, {
    createLink: (_, context) => ({
      link: { name: summary(note(context, context.requestHeader.get("idempotency-key") ?? "none")) },
    }),
    getLink: (_, context) => {
      note(context, "");
      return { link: {} };
    },
    deleteLink: (_, context) => {
      if (note(context, "delete").length === 1 && !`${context.requestHeader.get("authorization")}`.includes("gone"))
        return { success: true };
      const details = [{ desc: ErrorInfoSchema, value: { reason: "NOT_FOUND", domain: "lookout.v1" } }];
      throw new ConnectError("The link does not exist", Code.NotFound, undefined, details);
    },
  });
  router.service(QueryService, {
    async *watch({ keepAliveSeconds = 300 }, context) {
      const count = note(context, "watch").length;
      if (context.requestHeader.get("authorization")?.includes("idle"))
        return yield* quietWatch(keepAliveSeconds * 1_000, context.signal);
      if (count === 2 || context.requestHeader.get("authorization")?.includes("refused"))
        throw new ConnectError("The service starts", Code.Unavailable, undefined, [
          { desc: ErrorInfoSchema, value: { reason: "SERVICE_UNAVAILABLE", domain: "lookout.v1" } },
        ]);
      const key = `${context.requestHeader.get("authorization")}`;
      if (!key.includes("mute")) yield { answer: {} };
      if (/quiet|mute/.test(key)) yield {};
      const breaksOff = !/silent|quiet|mute/.test(key);
      if (count === 1 && breaksOff)
        throw new ConnectError("The service stops", Code.Unavailable, undefined, [
          { desc: ErrorInfoSchema, value: { reason: "SERVICE_UNAVAILABLE", domain: "lookout.v1" } },
        ]);
      await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
    },
  });
}

function idsOf({ events }: TrackRequest): string {
  return events.map(({ eventId }) => eventId ?? "none").join();
}

/** Such as `2 of 1`: what arrived in two tries was one thing. */
function summary(all: readonly string[]): string {
  const different = new Set(all);
  return `${all.length} of ${different.has("none") ? "none" : different.size}`;
}

/** Forwards connections. The first one falls silent as soon as an answer has come, as behind a firewall that has forgotten it. */
function silentAfterAMoment(port: number): Server {
  let count = 0;
  return createTcpServer((client) => {
    const isFirst = ++count === 1;
    const service = connect(port, "127.0.0.1");
    let isSilent = false;
    const pass = (from: Socket, to: Socket) => {
      from.on("data", (data) => {
        if (!isSilent) to.write(data);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    };
    pass(client, service);
    pass(service, client);
    service.on("data", (data) => {
      if (isFirst && data.length > 100) setTimeout(() => (isSilent = true), 100);
    });
  });
}
