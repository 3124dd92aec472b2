import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import {
  createServer as createHttp2Server,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { BadRequestSchema, ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { IngestService } from "../../src/gen/lookout/v1/ingest_pb.ts";
import { LinkService } from "../../src/gen/lookout/v1/links_pb.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { listen } from "./closableServer.ts";
import { exportRoutes } from "./exportRoutes.ts";

export type InterruptedServer = {
  /** gRPC over HTTP/2 without TLS. */
  readonly grpcUrl: string;
  /** The same with TLS, whose certificate is one of an authority that no system knows. */
  readonly secureUrl: string;
  /** The file with the certificate of that authority. */
  readonly authorityFile: string;
  /** A proxy for HTTP's CONNECT. */
  readonly proxyUrl: string;
  /** A proxy that answers CONNECT with 407. */
  readonly refusingProxyUrl: string;
  /** How often the proxy was used. */
  proxied(): number;
  /** The ids of the events that batches had, in the order of their answers. */
  events(): readonly string[];
  close(): Promise<void>;
};

/**
 * Starts servers that fail at first, as the API key says: `status-404` and the like answer this status as a proxy does; `asks` answers
 * UNAVAILABLE with a Retry-After that only gRPC's trailers have; `lost` closes the connection after the first request. They answer the
 * second try. `interrupted` watches lose their connection after each message but the third; `quiet`
 * ones say once that they are alive and then nothing, `still` ones answer and then say nothing. Of a batch, an event named `bad` is refused,
 * as are all of the key `wrong`, until a program with that key has called Track. `limit-1000` and the like answer 413 to larger requests. The
 * first batch of `lacking` has no result of its first event, that of `fails-CODE` fails with this code, of which VALIDATION_ERROR names the
 * second event. The header x-tries says how often a call with this key was made. Exports are those of exportRoutes.
 */
export async function startInterruptedServer(): Promise<InterruptedServer> {
  const folder = mkdtempSync(join(tmpdir(), "lookout-interrupted-"));
  const [keyFile, authorityFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  execFileSync(
    "openssl",
    // biome-ignore format: one option a word
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", keyFile, "-out", authorityFile, "-subj", "/CN=Test", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"],
    { stdio: "ignore" },
  );
  const events: string[] = [];
  const listener = interruptedListener(events);
  const certificate = { key: readFileSync(keyFile), cert: readFileSync(authorityFile) };
  const plain = await listen(createHttp2Server(listener));
  const secure = await listen(createSecureServer(certificate, listener));
  let proxied = 0;
  const proxyServer = createServer();
  proxyServer.on("connect", (request, client: Socket) => {
    proxied += 1;
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const target = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    target.on("error", () => client.destroy());
    client.on("error", () => target.destroy());
  });
  const proxy = await listen(proxyServer);
  const refusingServer = createServer();
  refusingServer.on("connect", (_, client: Socket) => {
    client.on("error", () => undefined);
    client.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
  });
  const refusingProxy = await listen(refusingServer);
  return {
    grpcUrl: `http://127.0.0.1:${plain.port}`,
    secureUrl: `https://127.0.0.1:${secure.port}`,
    authorityFile,
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    refusingProxyUrl: refusingProxy.url,
    proxied: () => proxied,
    events: () => events,
    close: async () => {
      await Promise.all([plain, secure, proxy, refusingProxy].map((server) => server.close()));
      rmSync(folder, { recursive: true });
    },
  };
}

function interruptedListener(events: string[]): (request: Http2ServerRequest, response: Http2ServerResponse) => void {
  const tries = new Map<string, number>();
  const handler = connectNodeAdapter({ routes: (router) => routes(router, tries, events) });
  return (request, response) => {
    request.on("error", () => undefined);
    const key = keyOf(request.headers.authorization);
    const count = (tries.get(key) ?? 0) + 1;
    tries.set(key, count);
    const [, status] = /^status-(\d+)/.exec(key) ?? [];
    const [, limit] = /^limit-(\d+)/.exec(key) ?? [];
    if (status !== undefined && count === 1) {
      response.stream.respond({ ":status": Number(status), "content-type": "text/html", "retry-after": "7" });
      response.stream.end("<html></html>");
    } else if (limit !== undefined) {
      passUpTo(Number(limit), request, response, () => handler(request, response));
    } else if (key.startsWith("asks") && count === 1) {
      const asked = { "grpc-status": "14", "grpc-message": "busy", "retry-after": "0" };
      response.stream.respond({ ":status": 200, "content-type": "application/grpc", ...asked }, { endStream: true });
    } else if (key.startsWith("lost") && count === 1) {
      request.on("end", () => response.stream.session?.destroy());
      request.resume();
    } else {
      if (key.startsWith("interrupted") && count < 3) setTimeout(() => response.stream.session?.destroy(), 300);
      handler(request, response);
    }
  };
}

/** Passes a request on unless it is larger than so many bytes. Those of tests come in one piece. */
function passUpTo(bytes: number, request: Http2ServerRequest, response: Http2ServerResponse, pass: () => void): void {
  request.once("readable", () => {
    const body: unknown = request.read();
    const isBuffer = Buffer.isBuffer(body);
    if (isBuffer && body.length > bytes) {
      response.stream.respond({ ":status": 413, "content-type": "text/html" });
      response.stream.end("<html></html>");
      return;
    }
    if (isBuffer) request.unshift(body);
    pass();
  });
}

function routes(router: ConnectRouter, tries: ReadonlyMap<string, number>, stored: string[]): void {
  let isKeyRight = false;
  const answered = (context: HandlerContext): number => {
    const count = tries.get(keyOf(context.requestHeader.get("authorization"))) ?? 0;
    context.responseHeader.set("x-tries", String(count));
    return count;
  };
  exportRoutes(router);
  router.service(LinkService, {
    listLinks: (_, context) => {
      answered(context);
      return {};
    },
  });
  router.service(IngestService, {
    batch: ({ events }, context) => {
      const isFirst = answered(context) === 1;
      const key = keyOf(context.requestHeader.get("authorization"));
      if (key === "wrong" && !isKeyRight) throw failure("INVALID_API_KEY");
      const [, code] = /^fails-(\w+)/.exec(key) ?? [];
      if (code !== undefined && isFirst) throw failure(code);
      if (key.startsWith("lacking") && isFirst)
        return { status: "success", results: events.slice(1).map(() => ({ status: "success" })) };
      const results = events.map(({ payload }) => {
        if (payload.case !== "flat") return { status: "success" };
        if (payload.value.name === "bad") return { status: "error", message: "name is bad" };
        stored.push(payload.value.eventId ?? "");
        return { status: "success" };
      });
      return { status: "success", results };
    },
    track: (_, context) => {
      answered(context);
      isKeyRight ||= keyOf(context.requestHeader.get("authorization")) === "wrong";
      return {};
    },
  });
  router.service(QueryService, {
    async *watch(_, context) {
      yield { answer: { requestId: `try ${answered(context)}` } };
      if (keyOf(context.requestHeader.get("authorization")).startsWith("quiet")) yield {};
      await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
    },
  });
}

function failure(reason: string): ConnectError {
  const info = { desc: ErrorInfoSchema, value: { reason, domain: "lookout.v1" } };
  const fieldViolations = [{ field: "events[1].flat.name", description: "is wrong" }];
  const wrong = { desc: BadRequestSchema, value: { fieldViolations } };
  const details = reason === "VALIDATION_ERROR" ? [info, wrong] : [info];
  return new ConnectError("events[1].flat.name is wrong", Code.InvalidArgument, undefined, details);
}

function keyOf(authorization: string | null | undefined): string {
  return authorization?.replace("Bearer ", "") ?? "";
}
