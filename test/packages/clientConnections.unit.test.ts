import { createServer } from "node:http";
import { createServer as createHttp2Server, type Http2Server } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { afterEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "../../packages/client-js/src/gen/google/rpc/error_details_pb.ts";
import { IngestService } from "../../packages/client-js/src/gen/lookout/v1/ingest_pb.ts";
import { LinkService } from "../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { QueryService } from "../../packages/client-js/src/gen/lookout/v1/query_pb.ts";
import {
  createLookout,
  type Lookout,
  LookoutError,
  type NodeLookoutOptions,
  responseOf,
} from "../../packages/client-js/src/node.ts";

const servers: { server: Http2Server; sockets: Set<Socket> }[] = [];

const clients: Lookout[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A gRPC server. `cut` closes its connections, as a load balancer does that is restarted. */
async function grpcServer(routes: (router: ConnectRouter, cut: (how: Cut) => void) => void) {
  const sockets = new Set<Socket>();
  const cut = (how: Cut) => {
    for (const socket of sockets) {
      if (how === "reset") socket.resetAndDestroy();
      else socket[how]();
    }
    sockets.clear();
  };
  const server = createHttp2Server(connectNodeAdapter({ routes: (router) => routes(router, cut) }));
  server.on("connection", (socket) => sockets.add(socket));
  servers.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Cut = "destroy" | "end" | "reset";

const cuts: readonly Cut[] = ["destroy", "end", "reset"];

function clientOf(baseUrl: string, options: Partial<NodeLookoutOptions> = {}) {
  const client = createLookout({ baseUrl, protocol: "grpc", websiteId: "w", retry: { firstWaitMs: 10 }, ...options });
  clients.push(client);
  return client;
}

describe.each(cuts)("a gRPC connection that is closed by %s before the answer", (how) => {
  test("a creating call is repeated with its key", async () => {
    const keys: (string | null)[] = [];
    const baseUrl = await grpcServer((router, cut) =>
      router.service(LinkService, {
        createLink: (_, { requestHeader }) => {
          keys.push(requestHeader.get("idempotency-key"));
          if (keys.length === 1) cut(how);
          return { link: { id: "one" } };
        },
      }),
    );
    const lookout = clientOf(baseUrl);
    const answer = await lookout.links.createLink({ targetUrl: "https://example.com" });
    expect([answer.link.id, responseOf(answer)?.attempts]).toEqual(["one", 2]);
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });

  test("a call that is made once fails with a temporary error", async () => {
    const baseUrl = await grpcServer((router, cut) =>
      router.service(LinkService, {
        createLink: () => {
          cut(how);
          return {};
        },
      }),
    );
    const lookout = clientOf(baseUrl, { retry: { attempts: 1 } });
    const error = await lookout.links.createLink({ targetUrl: "https://example.com" }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(LookoutError);
    expect(error).toMatchObject({ code: "BAD_ANSWER", isTemporary: true });
    expect(error.message).toMatch(/^The connection to http:\/\/127.* was lost before the answer was complete/);
  });

  test("events stay in the queue and are sent again", async () => {
    const ids: (string | undefined)[] = [];
    const baseUrl = await grpcServer((router, cut) =>
      router.service(IngestService, {
        batch: ({ events }) => {
          for (const { payload } of events) if (payload.case === "flat") ids.push(payload.value.eventId);
          if (ids.length === 1) cut(how);
          return { status: "success", results: events.map(() => ({ status: "success" })) };
        },
      }),
    );
    const dropped: unknown[] = [];
    const lookout = clientOf(baseUrl, {
      retry: { attempts: 1 },
      events: { onDropped: (_, error) => dropped.push(error) },
    });
    lookout.events.track({ name: "signup" });
    await lookout.events.flush();
    expect([lookout.events.size, dropped]).toEqual([0, []]);
    expect(ids).toEqual([expect.any(String), ids[0]]);
  });

  test("a stream ends with a temporary error", async () => {
    let cutAll = (_: Cut) => {};
    const baseUrl = await grpcServer((router, cut) => {
      cutAll = cut;
      router.service(QueryService, {
        async *watch(_, { signal }) {
          yield {};
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      });
    });
    const lookout = clientOf(baseUrl);
    const messages = lookout.queries.watch({ websiteId: "w", query: { parameters: [] } })[Symbol.asyncIterator]();
    await messages.next();
    cutAll(how);
    await expect(messages.next()).rejects.toMatchObject({ code: "BAD_ANSWER", isTemporary: true });
  });
});

test("a query without a website says where to name one", async () => {
  const reason = { desc: ErrorInfoSchema, value: { reason: "MISSING_PROJECT_ID", domain: "lookout.v1" } };
  const baseUrl = await grpcServer((router) =>
    router.service(QueryService, {
      query: () => {
        throw new ConnectError("Name a website", Code.InvalidArgument, undefined, [reason]);
      },
    }),
  );
  const lookout = clientOf(baseUrl, { websiteId: undefined });
  await expect(lookout.query({ preset: "today", parameters: ["top_pages"] })).rejects.toMatchObject({
    code: "MISSING_PROJECT_ID",
    message: "Name a website. Pass a websiteId to createLookout or with the query",
  });
});

test("the caller's own signal still cancels over gRPC", async () => {
  const stop = new AbortController();
  const baseUrl = await grpcServer((router) =>
    router.service(LinkService, {
      listLinks: async (_, { signal }) => {
        stop.abort();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return {};
      },
    }),
  );
  const lookout = clientOf(baseUrl);
  const call = lookout.links.listLinks({}, { signal: stop.signal });
  await expect(call).rejects.toMatchObject({ code: "CANCELLED", isTemporary: false });
});

describe.each(["connect", "grpc"] as const)("close over %s", (protocol) => {
  test("ends the calls and the streams that run, and refuses later ones", async () => {
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const forever = (signal: AbortSignal) => {
      begun();
      return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    };
    const routes = (router: ConnectRouter) =>
      router
        .service(LinkService, { listLinks: (_, { signal }) => forever(signal).then(() => ({})) })
        .service(QueryService, {
          async *watch(_, { signal }) {
            yield {};
            await forever(signal);
          },
        });
    const http1 = createServer(connectNodeAdapter({ routes }));
    await new Promise<void>((resolve) => http1.listen(0, "127.0.0.1", resolve));
    const baseUrl =
      protocol === "grpc" ? await grpcServer(routes) : `http://127.0.0.1:${(http1.address() as AddressInfo).port}`;
    const lookout = clientOf(baseUrl, { protocol });
    const messages = lookout.queries.watch({ websiteId: "w", query: { parameters: [] } })[Symbol.asyncIterator]();
    await messages.next();
    const running = expect(lookout.links.listLinks({})).rejects.toMatchObject({ code: "CLOSED" });
    const next = expect(messages.next()).rejects.toMatchObject({ code: "CLOSED" });
    await hasBegun;
    await lookout.close();
    await Promise.all([running, next]);
    await expect(lookout.links.listLinks({})).rejects.toMatchObject({
      code: "CLOSED",
      message: expect.stringContaining("createLookout"),
    });
    http1.closeAllConnections();
    await new Promise((resolve) => http1.close(resolve));
  });
});
