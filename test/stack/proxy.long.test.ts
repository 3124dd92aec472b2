import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { spawnBound } from "../../stack/boundProcess.ts";
import { PortChooser } from "../../stack/ports.ts";
import { send } from "../kit/calls/request.ts";
import { processesOf } from "./processes.ts";

const root = join(import.meta.dirname, "..", "..");
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-proxy-"));
});
afterEach(async () => {
  for (const pid of processesOf(directory))
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

test("npm start works with a proxy in the environment that refuses everything; checks keep to their own rules and ask no proxy", {
  timeout: 300_000,
}, async () => {
  const asked: string[] = [];
  const proxy = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      asked.push(bytes.toString("latin1").split("\r\n", 1)[0] ?? "");
      socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  const target = createHttpServer((request, response) => {
    paths.push(request.url ?? "");
    response.end("ok");
  }).listen(0, "127.0.0.1");
  const paths: string[] = [];
  await Promise.all([once(proxy, "listening"), once(target, "listening")]);
  const portOf = (server: typeof proxy) => (server.address() as AddressInfo).port;
  const address = `http://127.0.0.1:${portOf(proxy)}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "grpc_proxy"];
  const port = await new PortChooser(false).choose();
  const env = {
    ...process.env,
    ...Object.fromEntries(names.map((name) => [name, address])),
    NO_PROXY: undefined,
    no_proxy: undefined,
    NODE_USE_ENV_PROXY: "1",
    UPTIME_ALLOW_CIDRS: "127.0.0.1/32",
    DATA_DIR: directory,
    CACHE_DIR: inject("lookout").cacheDir,
    PORT: String(port),
  };
  const started = spawnBound("sh", ["stack/run.sh", "start"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [started.stdout, started.stderr])
    stream?.on("data", (piece) => {
      output += piece;
    });
  await vi.waitFor(() => expect(output).toContain("Ctrl-C stops it."), { timeout: 200_000, interval: 100 });
  const baseUrl = `http://127.0.0.1:${port}`;
  const { apiKey, websiteId } = JSON.parse(await readFile(join(directory, "credentials.json"), "utf8"));
  // Each of the stores answers the API.
  await expect
    .poll(async () => (await send("GET", "/readyz", { baseUrl })).body, { timeout: 200_000 })
    .toMatchObject({
      status: "ok",
    });
  const create = (url: string) =>
    send("POST", "/uptime/monitors/create", { baseUrl, apiKey, body: { websiteId, url, interval: "1m" } });
  expect((await create(`http://127.0.0.1:${portOf(target)}/health`)).status).toBe(200);
  await expect.poll(() => paths, { timeout: 200_000 }).toContain("/health");
  expect((await create("http://169.254.169.254/latest")).status).toBe(400);
  expect(asked).toEqual([]);
  started.kill("SIGINT");
  proxy.close();
  target.close();
});
