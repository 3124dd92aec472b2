import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, Agent as HttpAgent, type RequestListener } from "node:http";
import { createServer as createHttp2Server, createSecureServer } from "node:http2";
import { Agent, createServer as createSecure } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { afterAll, afterEach, expect, test } from "vitest";
import { LinkService } from "../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { createLookout, type NodeLookoutOptions } from "../../packages/client-js/src/node.ts";

const folder = mkdtempSync(join(tmpdir(), "lookout-transports-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A key and the certificate of an authority that no system knows. */
const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
execFileSync(
  "openssl",
  // biome-ignore format: one option a word
  ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", keyFile, "-out", certificateFile, "-subj", "/CN=Test", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"],
  { stdio: "ignore" },
);
const [key, cert] = [readFileSync(keyFile), readFileSync(certificateFile)];

const handler = connectNodeAdapter({
  routes: (router) => router.service(LinkService, { listLinks: () => ({ links: [{ id: "one" }] }) }),
});
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function firstLink(options: NodeLookoutOptions): Promise<string | undefined> {
  const lookout = createLookout({ retry: { attempts: 1 }, ...options });
  try {
    return (await lookout.links.listLinks({})).links[0]?.id;
  } finally {
    await lookout[Symbol.asyncDispose]();
  }
}

test.each(["connect", "grpc-web"] as const)("an agent with an authority of its own, over %s", async (protocol) => {
  const baseUrl = `https://127.0.0.1:${await listen(createSecure({ key, cert }, handler as RequestListener))}`;
  const agent = new Agent({ ca: cert, keepAlive: false });
  expect(await firstLink({ baseUrl, protocol, agent })).toBe("one");
  const untrusted = {
    code: "UNREACHABLE",
    message: expect.stringMatching(/^The certificate of .* is not trusted.*agent/),
  };
  await expect(firstLink({ baseUrl, protocol })).rejects.toMatchObject(untrusted);
  await expect(firstLink({ baseUrl, protocol, agent: new Agent({ keepAlive: false }) })).rejects.toMatchObject(
    untrusted,
  );
});

test("an authority of its own over gRPC", async () => {
  const baseUrl = `https://127.0.0.1:${await listen(createSecureServer({ key, cert }, handler))}`;
  expect(await firstLink({ baseUrl, protocol: "grpc", http2: { ca: cert } })).toBe("one");
  await expect(firstLink({ baseUrl, protocol: "grpc" })).rejects.toMatchObject({
    code: "UNREACHABLE",
    message: expect.stringMatching(/^The certificate of .* is not trusted/),
  });
});

test("a proxy, by the agent of Node", async () => {
  const service = await listen(createServer(handler as RequestListener));
  const proxied: string[] = [];
  const proxy = createServer((request, response) => {
    const { url = "" } = request;
    proxied.push(url);
    request.url = new URL(url).pathname;
    (handler as RequestListener)(request, response);
  });
  const agent = new HttpAgent({ proxyEnv: { HTTP_PROXY: `http://127.0.0.1:${await listen(proxy)}` } });
  expect(await firstLink({ baseUrl: `http://127.0.0.1:${service}`, agent })).toBe("one");
  expect(proxied).toEqual([`http://127.0.0.1:${service}/lookout.v1.LinkService/ListLinks`]);
  agent.destroy();
});

test.each(["connect", "grpc-web", "grpc"] as const)("a baseUrl with a path over %s", async (protocol) => {
  const paths: string[] = [];
  const inner: RequestListener = (request, response) => {
    paths.push(request.url ?? "");
    request.url = request.url?.replace("/lookout", "") ?? "";
    (handler as RequestListener)(request, response);
  };
  const server = protocol === "grpc" ? createHttp2Server(inner as never) : createServer(inner);
  const baseUrl = `http://127.0.0.1:${await listen(server)}/lookout/`;
  expect(await firstLink({ baseUrl, protocol })).toBe("one");
  expect(paths).toEqual(["/lookout/lookout.v1.LinkService/ListLinks"]);
});

test("a fetch and interceptors of one's own", async () => {
  const baseUrl = `http://127.0.0.1:${await listen(createServer(handler as RequestListener))}`;
  const seen: string[] = [];
  const id = await firstLink({
    baseUrl,
    fetch: (input, init) => {
      seen.push("fetch");
      return fetch(input, { ...init, keepalive: false });
    },
    interceptors: [
      (next) => (request) => {
        seen.push(request.method.name);
        return next(request);
      },
    ],
  });
  expect([id, seen]).toEqual(["one", ["ListLinks", "fetch"]]);
});
