import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { makeNamespace } from "../kit/stack/workerProcess.ts";

vi.setConfig({ testTimeout: 180_000 });

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Starts one of our processes; resolves with its `ready` message, rejects when it ends before. */
async function startProcess(
  script: string,
  output: "full disk" | "closed pipe",
  env: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; ready: { port?: number } }> {
  const { databaseUrl, questdbHttp, questdbPg, temporalAddress } = inject("lookout");
  const dataDir = mkdtempSync(join(tmpdir(), "lookout-output-"));
  cleanUps.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const full = openSync("/dev/full", "w");
  const target = output === "full disk" ? full : "pipe";
  const child = fork(script, ["--region", "eu-1"], {
    env: {
      ...process.env,
      PORT: "0",
      BASE_URL: "",
      LOG_LEVEL: "debug",
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      QUESTDB_HTTP: questdbHttp,
      QUESTDB_PG: questdbPg,
      TEMPORAL_ADDRESS: temporalAddress,
      ...env,
    },
    execArgv: [],
    stdio: ["ignore", target, target, "ipc"],
  });
  closeSync(full);
  child.stdout?.destroy();
  child.stderr?.destroy();
  cleanUps.push(() => stop(child));
  return new Promise((resolve, reject) => {
    child.once("message", (message: { ready: { port?: number } }) => resolve({ child, ready: message.ready }));
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = await ended;
  return typeof code === "number" ? code : null;
}

describe("a process survives an output that accepts nothing more", () => {
  test.each(["full disk", "closed pipe"] as const)("the API, on a %s; lost lines are counted", async (output) => {
    const { child, ready } = await startProcess("src/main/api.ts", output);
    const metrics = await (await fetch(`http://127.0.0.1:${ready.port}/metrics`)).text();
    expect(Number(/^lookout_log_lines_lost_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    expect(await stop(child)).toBe(0);
  });

  test.each(["workflows/worker.ts", "workflows/probe.ts"])("%s, on a full disk", async (script) => {
    const { temporalAddress } = inject("lookout");
    const { namespace, remove } = await makeNamespace(temporalAddress);
    cleanUps.push(remove);
    const { child } = await startProcess(script, "full disk", {
      TEMPORAL_NAMESPACE: namespace,
      UPTIME_PROBE_KEY: "0".repeat(32),
    });
    expect(await stop(child)).toBe(0);
  });
});
