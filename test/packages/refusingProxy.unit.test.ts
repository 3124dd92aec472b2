import { execFile } from "node:child_process";
import { createServer, Agent as HttpAgent } from "node:http";
import { Agent } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ignoredProxy } from "../../packages/client-js/src/grpcProxy.ts";
import { createLookout, type NodeLookoutOptions } from "../../packages/client-js/src/node.ts";
import { listen } from "./closableServer.ts";

const servers: Awaited<ReturnType<typeof listen>>[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A proxy that answers each request, and each CONNECT, with a status. */
async function refusingProxy(status: number) {
  let asked = 0;
  const proxy = createServer((_, response) => {
    asked += 1;
    response.writeHead(status, { "content-type": "text/html" }).end("no");
  });
  proxy.on("connect", (_, socket) => {
    asked += 1;
    socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\nno`);
  });
  const server = await listen(proxy);
  servers.push(server);
  return { url: server.url, asked: () => asked };
}

/** Without a proxy of the program, in whose environment a test runs. */
const failing = (options: NodeLookoutOptions) => {
  const lookout = createLookout({ retry: { attempts: 2, firstWaitMs: 1 }, ...options });
  return lookout.links.listLinks({}).catch((error: unknown) => error);
};

const program = (baseUrl: string) => `
import { createLookout } from ${JSON.stringify(join(import.meta.dirname, "../../packages/client-js/src/node.ts"))};
const lookout = createLookout({ baseUrl: "${baseUrl}", retry: { attempts: 2, firstWaitMs: 1 } });
const { code, status, isTemporary, message } = await lookout.links.listLinks({}).catch((error) => error);
console.log(JSON.stringify({ code, status, isTemporary, message }));
`;

describe.each([
  [407, "BAD_ANSWER", false, 1, "http://name:password@"],
  [403, "BAD_ANSWER", false, 1, "Check HTTPS_PROXY"],
  [503, "SERVICE_UNAVAILABLE", true, 2, "try again later"],
])("a proxy that answers CONNECT with %d", (status, code, isTemporary, tries, advice) => {
  test("is named with its status, by an agent", async () => {
    const { url, asked } = await refusingProxy(status);
    const agent = new Agent({ proxyEnv: { HTTPS_PROXY: url } });
    const error = await failing({ baseUrl: "https://lookout.example", agent });
    expect(error).toMatchObject({ code, status, isTemporary, message: expect.stringContaining(advice) });
    expect(asked()).toBe(tries);
  });

  test.each(["https://lookout.example", "http://lookout.example"])("and by fetch, to %s", async (baseUrl) => {
    const { url, asked } = await refusingProxy(status);
    const env = { ...process.env, NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: "" };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program(baseUrl)], {
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject({ code, status, isTemporary, message: expect.stringContaining(advice) });
    expect(asked()).toBe(tries);
  });
});

test("an agent of another protocol than that of baseUrl is named, and not tried again", async () => {
  const error = await failing({ baseUrl: "http://127.0.0.1:9", agent: new Agent() });
  expect(error).toMatchObject({ code: "VALIDATION_ERROR", isTemporary: false, details: [{ field: "agent" }] });
  expect(await failing({ baseUrl: "https://127.0.0.1:9", agent: new HttpAgent() })).toMatchObject({
    details: [{ field: "agent" }],
  });
});

describe("grpc", () => {
  const options = { baseUrl: "https://lookout.example", protocol: "grpc" } as const;

  test("refuses an agent and a fetch, which it would ignore, unless it has its own options", async () => {
    const refused = (field: string) =>
      expect.objectContaining({ code: "VALIDATION_ERROR", details: [expect.objectContaining({ field })] });
    expect(() => createLookout({ ...options, agent: new Agent() })).toThrow(refused("agent"));
    expect(() => createLookout({ ...options, fetch })).toThrow(refused("fetch"));
    await createLookout({ ...options, agent: new Agent(), http2: {} }).close();
  });

  test("warns of a proxy that it does not use", async () => {
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    vi.stubEnv("https_proxy", "http://127.0.0.1:9");
    vi.stubEnv("no_proxy", "");
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    await createLookout(options).close();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("not through https_proxy"));
    warn.mockRestore();
    vi.unstubAllEnvs();
  });

  test.each<[Record<string, string>, string | undefined]>([
    [{ HTTPS_PROXY: "http://p" }, undefined],
    [{ NODE_USE_ENV_PROXY: "1" }, undefined],
    [{ NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://p" }, undefined],
    [{ NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: "http://p" }, "HTTPS_PROXY"],
    [{ NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: "http://p", NO_PROXY: "a.example, .lookout.example" }, undefined],
    [{ NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: "http://p", NO_PROXY: "example" }, undefined],
    [{ NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: "http://p", NO_PROXY: "out.example" }, "HTTPS_PROXY"],
  ])("with %j it would be %s", (env, name) => {
    expect(ignoredProxy("https://lookout.example", env)).toBe(name);
  });
});
