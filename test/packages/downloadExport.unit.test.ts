import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { Agent, createServer as createSecure } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createLookout,
  downloadExport,
  type Lookout,
  type NodeLookoutOptions,
} from "../../packages/client-js/src/node.ts";
import { createTestLookout } from "../../packages/client-js/src/testing/createTestLookout.ts";
import { listen } from "./closableServer.ts";
import { exportRoutes } from "./exportRoutes.ts";

const folder = mkdtempSync(join(tmpdir(), "lookout-download-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where the downloads of a test began, bytes. */
const offsets: number[] = [];
const handler = () =>
  connectNodeAdapter({
    routes: (router) => exportRoutes(router, (offset) => void offsets.push(offset)),
  }) as RequestListener;
const whole = "PK first second";
const quick = { intervalMs: 1 };

let server: Awaited<ReturnType<typeof listen>>;
const clients: Lookout[] = [];
const path = join(folder, "export.zip");

beforeEach(async () => {
  offsets.length = 0;
  server = await listen(createServer(handler()));
  rmSync(path, { force: true });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await server.close();
});

function clientOf(options: Partial<NodeLookoutOptions> = {}) {
  const client = createLookout({ baseUrl: server.url, ...options });
  clients.push(client);
  return client;
}

test("waits until the export is done, and writes its file in place of another", async () => {
  writeFileSync(path, "an older and longer file than the new one");
  const progress: number[] = [];
  const onProgress = (state: { progress: number }) => progress.push(state.progress);
  const { exportId } = await downloadExport(clientOf(), "done", path, { ...quick, onProgress });
  expect([exportId, readFileSync(path, "utf8"), progress]).toEqual(["done", whole, [40, 100]]);
  expect(readdirSync(folder)).not.toContain("export.zip.part");
});

test("a file may be a URL", async () => {
  await downloadExport(clientOf(), "url", pathToFileURL(path));
  expect(readFileSync(path, "utf8")).toBe(whole);
});

describe.each(["broken", "stalled"])("a download that is %s", (exportId) => {
  test("goes on where it was", async () => {
    await downloadExport(clientOf(), exportId, path, { stallTimeoutMs: 500 });
    expect(readFileSync(path, "utf8")).toBe(whole);
  });

  test("fails if it may not be begun again, and leaves no file", async () => {
    const failed = downloadExport(clientOf(), exportId, path, { stallTimeoutMs: 500, attempts: 1 });
    await expect(failed).rejects.toMatchObject({
      code: exportId === "broken" ? "SERVICE_UNAVAILABLE" : "TIMEOUT",
      isTemporary: true,
    });
    expect(readdirSync(folder).filter((name) => name.startsWith("export.zip"))).toEqual([]);
  });
});

test("a download that breaks off again and again asks for what is missing, and is not given up while it gets further", async () => {
  await downloadExport(clientOf(), "cut", path);
  expect([readFileSync(path, "utf8"), offsets]).toEqual([whole, [0, 3, 6, 9, 12, 15]]);
});

test("of an older service, which sends the whole file again, what has come is skipped", async () => {
  await downloadExport(clientOf(), "old", path);
  expect([readFileSync(path, "utf8"), offsets]).toEqual([whole, [0, 3, 6, 9, 12]]);
});

test("a file that goes on behind what has come of it is not put together", async () => {
  const failed = downloadExport(clientOf(), "ahead", path);
  await expect(failed).rejects.toMatchObject({ code: "BAD_ANSWER", isTemporary: false });
  expect([offsets, readdirSync(folder)]).toEqual([[0, 3], expect.not.arrayContaining(["export.zip"])]);
});

test.each([
  ["failed", { code: "CONFLICT", message: "The export is failed: The disk is full" }],
  ["changed", { code: "BAD_ANSWER", message: expect.stringMatching(/was changed on the way/) }],
])("an export that is %s leaves the file that was there", async (exportId, error) => {
  writeFileSync(path, "older");
  await expect(downloadExport(clientOf(), exportId, path)).rejects.toMatchObject(error);
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual([
    "older",
    expect.not.arrayContaining(["export.zip.part"]),
  ]);
});

test("a folder that is missing is told before the export is waited for", async () => {
  const missing = join(folder, "missing", "export.zip");
  await expect(downloadExport(clientOf(), "endless", missing)).rejects.toMatchObject({ code: "ENOENT" });
});

test("the caller's signal ends it", async () => {
  const stop = new AbortController();
  const onProgress = () => setImmediate(() => stop.abort());
  const waiting = downloadExport(clientOf(), "endless", path, { signal: stop.signal, onProgress });
  await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
});

test("an address without a signature is none of Lookout", async () => {
  const lookout = createTestLookout({ data: { getExport: { status: "completed", downloadUrl: "/file" } } });
  const failed = downloadExport(lookout, "e1", path);
  await expect(failed).rejects.toMatchObject({ code: "BAD_ANSWER", isTemporary: false });
});

describe("a stream", () => {
  test("is written and closed", async () => {
    const texts: string[] = [];
    let isClosed = false;
    const to = new WritableStream<Uint8Array>({
      write: (data) => void texts.push(Buffer.from(data).toString()),
      close: () => {
        isClosed = true;
      },
    });
    await downloadExport(clientOf(), "broken-stream", to);
    expect([texts.join(""), isClosed]).toEqual([whole, true]);
  });

  test("that fails ends the download with its own error", async () => {
    const to = new WritableStream<Uint8Array>({
      write: () => {
        throw new Error("The disk is full");
      },
    });
    await expect(downloadExport(clientOf(), "full", to)).rejects.toThrow("The disk is full");
  });
});

test("comes over the client's own agent, with its authority", async () => {
  const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  execFileSync(
    "openssl",
    // biome-ignore format: one option a word
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", keyFile, "-out", certificateFile, "-subj", "/CN=Test", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"],
    { stdio: "ignore" },
  );
  const [key, ca] = [readFileSync(keyFile), readFileSync(certificateFile)];
  const secure = await listen(createSecure({ key, cert: ca }, handler()));
  const agent = new Agent({ ca });
  await downloadExport(clientOf({ baseUrl: secure.url.replace("http:", "https:"), agent }), "secure", path);
  expect(readFileSync(path, "utf8")).toBe(whole);
  agent.destroy();
  await secure.close();
});

test.each(["grpc-web"] as const)("over %s", async (protocol) => {
  await downloadExport(clientOf({ protocol }), "broken", path);
  expect(readFileSync(path, "utf8")).toBe(whole);
});
