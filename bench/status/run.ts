/**
 * `npm run bench:status [-- rounds [connections]]`: requests a second and their latency of a status page with 20 monitors, compared with node:http
 * that answers the same bytes as a static file, in the same run, as JSON. The server is pinned to one core, the loader to another. Figures are medians
 * over the rounds.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { absolute, type Bench, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { endProcess, forkPinned, portOf } from "../../test/kit/load/pinnedProcess.ts";
import { loadRaw } from "../../test/kit/load/rawLoad.ts";
import type { LoadReport } from "../../test/kit/load/rawLoader.ts";
import { withBenchApi } from "../../test/kit/stack/benchApi.ts";
import { withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { type Owner, postJson } from "../../test/kit/stack/owner.ts";

const monitors = 20;
const target = 0.5;

export const bench: Bench = {
  name: "status",
  measure: ({ isSmoke, args, stacks }) =>
    stacks.use({ parts: withoutTemporal }, ({ stack, owner }) =>
      withBenchApi(stack, { core: 0, env: { LOG_LEVEL: "error" } }, async (api) => {
        const rounds = isSmoke ? 1 : Number(args[0] ?? 5);
        const connections = isSmoke ? 4 : Number(args[1] ?? 64);
        const requests = isSmoke ? { measuredRequests: 100, warmUpRequests: 20 } : bigLoad;
        const path = await makePage(owner);
        const bytes = await bodyOf(api.port, path);
        const problems = [...missingIn(gunzipSync(bytes).toString())];
        const samples = await withStaticServer(bytes, async (staticPort) => {
          const load = (port: number) => {
            const text = `GET ${path} HTTP/1.1\r\nhost: status.example.com\r\naccept-encoding: gzip\r\naccept-language: en\r\n\r\n`;
            // The page says when it was made.
            const expected = { status: 200, leastBodyBytes: bytes.length - 50, mostBodyBytes: bytes.length + 50 };
            return loadRaw({ port, requests: [text], connections, ...requests, expected });
          };
          const found: { static: LoadReport; lookout: LoadReport }[] = [];
          for (let index = 1; index <= rounds; index += 1) {
            process.stderr.write(`round ${index} of ${rounds}\n`);
            found.push({ static: await load(staticPort), lookout: await load(api.port) });
          }
          return found;
        });
        problems.push(...missingIn(gunzipSync(await bodyOf(api.port, path)).toString()));
        const rate = ({ answers, seconds }: LoadReport) => answers / seconds;
        const of = (name: "static" | "lookout", figure: (sample: LoadReport) => number, digits: number) =>
          round(median(samples.map((sample) => figure(sample[name]))), digits);
        const ratios = samples.map((sample) => rate(sample.lookout) / rate(sample.static));
        const figures = {
          "requests a second / static file": ratio(round(median(ratios), 2), "higher", target),
          "requests a second": absolute(of("lookout", rate, 0), "1/s", "higher"),
          "requests a second, static file": absolute(of("static", rate, 0), "1/s", "higher"),
          p50: absolute(
            of("lookout", ({ p50Ms }) => p50Ms, 2),
            "ms",
            "lower",
          ),
          p99: absolute(
            of("lookout", ({ p99Ms }) => p99Ms, 2),
            "ms",
            "lower",
          ),
          "p99, static file": absolute(
            of("static", ({ p99Ms }) => p99Ms, 2),
            "ms",
            "lower",
          ),
          "bytes sent": absolute(bytes.length, "B", "lower"),
        };
        return { settings: { rounds, connections, monitors }, figures, problems, details: null };
      }),
    ),
};

const bigLoad = { measuredRequests: 30_000, warmUpRequests: 20_000 };

const nameOf = (number: number) => `Service ${number}`;

/** A page with monitors that are not checked while the benchmark runs; its path. */
async function makePage(owner: Owner): Promise<string> {
  const { websiteId } = owner;
  for (let number = 1; number <= monitors; number += 1) {
    const monitor = { websiteId, name: nameOf(number), url: `https://example.com/${number}`, interval: "24h" };
    await postJson(owner, "/uptime/monitors/create", monitor);
  }
  const slug = `bench-${randomUUID().slice(0, 8)}`;
  await postJson(owner, "/uptime/status-pages/create", { websiteId, slug, title: "Bench", published: true });
  return `/status/${slug}`;
}

function missingIn(html: string): string[] {
  const names = Array.from({ length: monitors }, (_, index) => nameOf(index + 1));
  return names.filter((name) => !html.includes(`${name}<`)).map((name) => `the page does not show ${name}`);
}

/** The page as it is sent, compressed: fetch would decompress it. */
async function bodyOf(port: number, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    request({ port, path, host: "127.0.0.1", headers: { "accept-encoding": "gzip" } }, (answer) => {
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(parts));
        else reject(new Error(`${path} answered ${answer.statusCode}`));
      });
    })
      .on("error", reject)
      .end();
  });
}

/** Serves the bytes while `work` goes on. */
async function withStaticServer<T>(bytes: Buffer, work: (port: number) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "lookout-bench-"));
  const file = join(folder, "page.html.gz");
  await writeFile(file, bytes);
  const server = forkPinned(fileURLToPath(new URL("staticServer.ts", import.meta.url)), { core: 0, args: [file] });
  try {
    return await work(await portOf(server));
  } finally {
    await endProcess(server);
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await runAsScript(bench);
