import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { docsText } from "../kit/calls/docsLines.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import { freePort } from "../kit/stack/freePort.ts";

const host = "analytics.example.com";
const uiHost = "temporal.example.com";
const uiPassword = "oncall:secret of the test";

/** Longer than what nginx, and most other proxies, let a stream be silent by default. */
const silentMs = 65_000;

type Files = { readonly directory: string; readonly key: string; readonly certificate: string };
type Ports = { readonly https: number; readonly http: number };
type Proxy = {
  readonly program: string;
  /** Writes its configuration and says how it is started. */
  readonly start: (block: string, files: Files, ports: Ports) => readonly string[];
  readonly language: string;
};

const nginx: Proxy = {
  program: "nginx",
  language: "nginx",
  start: (block, { directory, key, certificate }, { https, http }) => {
    const passwords = join(directory, "htpasswd");
    const [name, password = ""] = uiPassword.split(":");
    writeFileSync(passwords, `${name}:${execFileSync("openssl", ["passwd", "-apr1", password], { encoding: "utf8" })}`);
    const site = block
      .replaceAll("listen 80;", `listen 127.0.0.1:${http};`)
      .replaceAll("listen 443 ", `listen 127.0.0.1:${https} `)
      .replaceAll(/\S+\/fullchain\.pem/g, certificate)
      .replaceAll(/\S+\/privkey\.pem/g, key)
      .replaceAll("/etc/nginx/temporal.htpasswd", passwords);
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${join(directory, kind)};`)
      .join(" ");
    const file = join(directory, "nginx.conf");
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${directory}/pid; error_log stderr;\nevents {}\nhttp { access_log off; ${places}\n${site}\n}\n`,
    );
    return ["-p", directory, "-e", "stderr", "-c", file];
  },
};

const caddy: Proxy = {
  program: "caddy",
  language: "caddyfile",
  start: (block, { directory, key, certificate }, { https }) => {
    const [, password = ""] = uiPassword.split(":");
    const hash = execFileSync("caddy", ["hash-password", "--plaintext", password], { encoding: "utf8" }).trim();
    const place = (name: string) => `${name}:${https} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`;
    const site = block
      .replace(`${host} {`, place(host))
      .replace(`${uiHost} {`, place(uiHost))
      .replace("# trusted_proxies", "trusted_proxies")
      .replace(/oncall \S+/, `oncall ${hash}`);
    const file = join(directory, "Caddyfile");
    writeFileSync(
      file,
      `{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n${site}`,
    );
    return ["run", "--adapter", "caddyfile", "--config", file];
  },
};

describe.each([nginx, caddy])("6: the API behind $program, as docs/operate/production.md configures it", (proxy) => {
  const isInstalled = spawnSync(proxy.program, ["version"]).error === undefined;
  if (!isInstalled) console.log(`${proxy.program} is not installed: its configuration is not tested`);
  const website = {} as TestWebsite;
  let directory: string;
  let api: ApiProcess;
  let child: ChildProcess;
  let output = "";
  let ports: Ports;
  let startedMs: number;
  const streams: { readonly views: unknown[]; readonly ended: Promise<void> }[] = [];

  const node = () => ({ ca: readFileSync(join(directory, "cert.pem")), lookup });
  const baseUrl = () => `https://${host}:${ports.https}`;

  /** Of an answer of curl: its status, headers and body. */
  async function curl(url: string, ...args: string[]): Promise<{ status: number; headers: string; body: string }> {
    const names = [host, uiHost].flatMap((name) =>
      [ports.https, ports.http].flatMap((port) => ["--resolve", `${name}:${port}:127.0.0.1`]),
    );
    const { stdout } = await promisify(execFile)("curl", [
      ...["--silent", "--show-error", "--include", "--noproxy", "*", "--cacert", join(directory, "cert.pem")],
      ...names,
      ...args,
      url,
    ]);
    const [headers = "", ...rest] = stdout.split("\r\n\r\n");
    return { status: Number(headers.split(" ")[1]), headers: headers.toLowerCase(), body: rest.join("\r\n\r\n") };
  }

  const query = { preset: "today", parameters: [{ name: "summary_metrics" }] };
  const headers = () => ({ "x-api-key": website.apiKey });

  async function sendView(visitor: string, ...args: string[]): Promise<void> {
    const event = { name: "page_view", path: "/", anonymousId: visitor, sessionId: visitor };
    const sent = await curl(
      `${baseUrl()}/batch?website_id=${website.websiteId}`,
      ...["--header", "content-type: application/json", "--data", JSON.stringify([event]), ...args],
    );
    expect(JSON.parse(sent.body)).toMatchObject({ status: "success", batched: { track: 1 } });
  }

  function watch(transport: Transport): void {
    const views: unknown[] = [];
    const stream = createClient(QueryService, transport).watch(
      { websiteId: website.websiteId, query },
      { headers: headers() },
    );
    const ended = (async () => {
      for await (const { answer } of stream) views.push(answer?.data[0]?.data[0]?.["pageviews"]);
    })();
    ended.catch(() => undefined);
    streams.push({ views, ended });
  }

  beforeAll(async () => {
    if (!isInstalled) return;
    directory = mkdtempSync(join(tmpdir(), "lookout-proxy-"));
    chmodSync(directory, 0o711);
    const [key, certificate] = [join(directory, "key.pem"), join(directory, "cert.pem")];
    const names = `subjectAltName=DNS:${host},DNS:${uiHost}`;
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate],
        ...["-subj", `/CN=${host}`, "-addext", names, "-days", "1"],
      ],
      { stdio: "ignore" },
    );
    Object.assign(website, await createWebsite());
    api = await startApiProcess({ BASE_URL: `https://${host}`, TRUSTED_PROXIES: "127.0.0.1" });
    ports = { https: await freePort(), http: await freePort() };
    const page = await docsText("docs/operate/production.md");
    const [, block = ""] = new RegExp(`^\`\`\`${proxy.language}\n(.*?)^\`\`\`$`, "ms").exec(page) ?? [];
    const placed = block
      .replaceAll("127.0.0.1:8080", new URL(api.baseUrl).host)
      .replaceAll("127.0.0.1:8233", new URL(inject("lookout").temporalUi).host);
    child = spawn(proxy.program, proxy.start(placed, { directory, key, certificate }, ports), {
      env: { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-10_000);
      });
    const whenTrue = async (check: () => unknown) => await vi.waitFor(check, { timeout: 200_000, interval: 100 });
    await whenTrue(async () => {
      if (child.exitCode !== null) throw new Error(`${proxy.program} ended:\n${output}`);
      expect((await curl(`${baseUrl()}/healthz`)).status).toBe(200);
    });
    watch(createGrpcTransport({ baseUrl: baseUrl(), nodeOptions: node() }));
    watch(createConnectTransport({ baseUrl: baseUrl(), httpVersion: "1.1", nodeOptions: node() }));
    await whenTrue(() => expect(streams.map(({ views }) => views)).toEqual([[null], [null]]));
    startedMs = performance.now();
  });

  afterAll(async () => {
    if (!isInstalled) return;
    if (child.exitCode === null) {
      // Caddy would wait for the streams to end.
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await api.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test.skipIf(!isInstalled)("JSON, its errors, security headers and the web app come through", async () => {
    const asked = await curl(
      `${baseUrl()}/v1/query?website_id=${website.websiteId}`,
      ...["--header", `x-api-key: ${website.apiKey}`, "--header", "content-type: application/json"],
      ...["--data", JSON.stringify({ preset: "today", parameters: ["summary_metrics"] })],
    );
    expect(JSON.parse(asked.body)).toMatchObject({ success: true });
    expect(asked.headers).toContain("strict-transport-security: max-age=31536000");
    const body = join(directory, "large.json");
    writeFileSync(body, JSON.stringify("x".repeat(1_500_000)));
    const large = await curl(`${baseUrl()}/batch`, "--data", `@${body}`, "--header", "content-type: application/json");
    expect([large.status, JSON.parse(large.body)]).toMatchObject([413, { success: false }]);
    const page = await curl(`${baseUrl()}/`);
    expect([page.status, page.headers]).toEqual([200, expect.stringContaining("content-type: text/html")]);
  });

  test.skipIf(!isInstalled)("the metrics of the API are not published, and its health is", async () => {
    for (const path of ["/metrics", "/metrics?x=1", "/%6detrics", "/./metrics", "//metrics", "/metrics/", "/Metrics"]) {
      const { status, body } = await curl(`${baseUrl()}${path}`, "--path-as-is");
      expect([path, status]).toEqual([path, 404]);
      expect(body).not.toContain("lookout_");
    }
    const posted = await curl(`${baseUrl()}/metrics`, "--header", "content-type: application/grpc", "--data", "x");
    expect(posted.body).not.toContain("lookout_");
    expect((await curl(`${baseUrl()}/readyz`)).status).toBe(200);
  });

  test.skipIf(!isInstalled)("gRPC and gRPC-Web are answered, with the service's errors", async () => {
    for (const transport of [
      createGrpcTransport({ baseUrl: baseUrl(), nodeOptions: node() }),
      createGrpcWebTransport({ baseUrl: baseUrl(), httpVersion: "1.1", nodeOptions: node() }),
    ]) {
      const client = createClient(QueryService, transport);
      const answer = await client.query({ websiteId: website.websiteId, query }, { headers: headers() });
      expect(answer.single?.data[0]?.data[0]).toMatchObject({ pageviews: null });
      await expect(client.query({ websiteId: website.websiteId, query })).rejects.toThrow("[unauthenticated]");
    }
  });

  test.skipIf(!isInstalled)(
    "a visitor's address is what trusted proxies forwarded, and not what the visitor claims",
    async () => {
      const other = await createWebsite();
      const event = (visitor: string) => [{ name: "page_view", path: "/", anonymousId: visitor, sessionId: visitor }];
      const sendFrom = async (address: string, visitor: string) =>
        await curl(
          `${baseUrl()}/batch?website_id=${other.websiteId}`,
          ...["--interface", address, "--header", "x-forwarded-for: 81.2.69.142"],
          ...["--header", "content-type: application/json", "--data", JSON.stringify(event(visitor))],
        );
      // The first one stands for a proxy in front of this one, whose address is trusted.
      await sendFrom("127.0.0.1", "behind a trusted proxy");
      await sendFrom("127.0.0.5", "somebody who lies");
      const countries = async () => {
        const answer = await curl(
          `${baseUrl()}/v1/query?website_id=${other.websiteId}`,
          ...["--header", `x-api-key: ${other.apiKey}`, "--header", "content-type: application/json"],
          ...["--data", JSON.stringify({ preset: "today", parameters: ["country", "summary_metrics"] })],
        );
        const { data } = JSON.parse(answer.body) as { data: { data: { name?: string; pageviews?: number }[] }[] };
        return [data[1]?.data[0]?.pageviews, ...(data[0]?.data ?? []).map(({ name }) => name)];
      };
      await expect.poll(async () => (await countries())[0]).toBe(2);
      expect((await countries()).filter((name) => name === "United Kingdom" || name === "GB")).toHaveLength(1);
      expect(JSON.stringify(await countries())).toMatch(/United Kingdom|GB/);
    },
  );

  test.skipIf(!isInstalled)("the Temporal Web UI asks for the password of its own", async () => {
    const url = `https://${uiHost}:${ports.https}/`;
    expect((await curl(url)).status).toBe(401);
    expect(await curl(url, "--user", uiPassword)).toMatchObject({ status: 200, body: expect.stringMatching(/<html/i) });
  });

  test.skipIf(!isInstalled || proxy !== nginx)("http leads to https", async () => {
    const answer = await curl(`http://${host}:${ports.http}/x?y=1`);
    expect([answer.status, answer.headers]).toEqual([308, expect.stringContaining(`location: https://${host}/x?y=1`)]);
  });

  test.skipIf(!isInstalled)(
    "watched queries that were silent for more than a minute answer the next event",
    async () => {
      await sleep(Math.max(0, startedMs + silentMs - performance.now()));
      expect(streams.map(({ views }) => views)).toEqual([[null], [null]]);
      await sendView("the first in a minute");
      await expect.poll(() => streams.map(({ views }) => views.at(-1))).toEqual([1, 1]);
    },
  );
});

/** The names of the page are this machine's. */
const lookup: LookupFunction = (_name, options, answer) => {
  if (options.all) answer(null, [{ address: "127.0.0.1", family: 4 }]);
  else answer(null, "127.0.0.1", 4);
};
