import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { executeStatement } from "../../../src/store/questdb/executeStatement.ts";
import type { Stack } from "../../../stack/stack.ts";
import type { SmallDisk } from "../stack/smallDisk.ts";
import type { FailingMaps } from "./failingMaps.ts";
import { flipBits } from "./flipBits.ts";
import { signalFamily } from "./freeze.ts";

/**
 * The fault of a round: a kill -9 of the named process unless stated otherwise. `all` kills the API and every store; `questdb down` is down for the
 * whole round. In `byte flipped` QuestDB and the API are dead for a while, and one bit of each file of the API's log changes. In `log read-only` the
 * file system of the log takes no writes for some seconds.
 */
export const faults = [
  "api",
  "disk full and freed",
  "questdb",
  "questdb stopped",
  "postgres",
  "table suspended",
  "both",
  "log read-only",
  "postgres stopped",
  "all",
  "questdb down",
  "temporal stopped",
  "api while questdb is down",
  "byte flipped",
] as const;

/** Those of a stack that has a worker too. */
export const faultsWithWorker = [...faults, "worker", "worker and questdb", "mappings fail"] as const;
export type Fault = (typeof faultsWithWorker)[number];

/** The faults that only a user who may mount a file system can cause. */
export const needsMount: ReadonlySet<Fault> = new Set(["disk full and freed", "log read-only"]);

/** What faults need beside the stack: a disk that may be filled, and a QuestDB whose mappings can fail. */
export type FaultMeans = { readonly disk?: SmallDisk | undefined; readonly maps?: FailingMaps | undefined };

/** The free space that a full disk may still have. */
const mostLeftBytes = 16 << 20;

/** Duration of a SIGSTOP. */
const stoppedMs = 20_000;

/** Faults after which QuestDB stays down until it is restarted. */
export const outageFaults: ReadonlySet<Fault> = new Set(["questdb down", "api while questdb is down", "byte flipped"]);

/**
 * Makes a stack suffer a fault. Resolves when its cause has gone, except for faults of `outageFaults`. `table suspended` needs a QuestDB in its
 * development mode (QDB_DEV_MODE_ENABLED), `disk full and freed` the small disk that DATA_DIR lies on, which `fillUp` fills further.
 */
export async function injectFault(
  stack: Stack,
  { disk, maps }: FaultMeans,
  fault: Fault,
  random: () => number,
  fillUp: () => Promise<void>,
): Promise<void> {
  if (fault === "disk full and freed") await fillDisk(disk, fillUp, random);
  else if (fault === "mappings fail") await failMaps(maps, 3_000 + random() * 7_000);
  else if (fault === "questdb stopped") await freeze(stack, "questdb");
  else if (fault === "postgres stopped") await freeze(stack, "postgres");
  else if (fault === "temporal stopped") await freeze(stack, "temporal");
  else if (fault === "table suspended") {
    const table = random() < 0.5 ? "events" : "performance_metrics";
    const { http, queryTimeoutMs } = stack.config.questdb;
    const tag = random() < 0.5 ? "DISK FULL" : "UNSUPPORTED FILE SYSTEM";
    const statement = `ALTER TABLE ${table} SUSPEND WAL WITH '${tag}', 'suspended by hand'`;
    await executeStatement(http, statement, queryTimeoutMs);
    await pause(random() * 3_000);
  } else if (fault === "api") {
    await stack.kill("api");
    await stack.restart("api");
  } else if (fault === "questdb") {
    await stack.kill("questdb");
    await pause(random() * 2_000);
    await stack.restart("questdb");
  } else if (fault === "postgres") {
    await stack.kill("postgres");
    await pause(1_000 + random() * 2_000);
    await stack.restart("postgres");
  } else if (fault === "all") {
    const parts = ["api", "questdb", "postgres", "temporal"] as const;
    await Promise.all(parts.map((part) => stack.kill(part)));
    await Promise.all(parts.map((part) => pause(random() * 3_000).then(() => stack.restart(part))));
  } else if (fault === "log read-only") {
    await holdReadOnly(join(stack.config.stack.dataDir, "log"), 1_000 + random() * 4_000);
  } else if (fault === "worker" || fault === "worker and questdb") {
    const parts = fault === "worker" ? (["worker"] as const) : (["worker", "questdb"] as const);
    await Promise.all(parts.map((part) => stack.kill(part)));
    await Promise.all(parts.map((part) => pause(random() * 3_000).then(() => stack.restart(part))));
  } else if (fault === "both") {
    await Promise.all([stack.kill("api"), stack.kill("questdb")]);
    await Promise.all([stack.restart("api"), pause(random() * 2_000).then(() => stack.restart("questdb"))]);
  } else {
    await stack.kill("questdb");
    await pause(2_000 + random() * 1_000);
    if (fault === "questdb down") return;
    await stack.kill("api");
    if (fault === "byte flipped") {
      const log = join(stack.config.stack.dataDir, "log");
      await flipBits(log, random, (paths) => paths.filter((path) => !path.includes("damaged")));
    }
    await stack.restart("api");
    await pause(1_000);
  }
}

async function failMaps(maps: FailingMaps | undefined, durationMs: number): Promise<void> {
  if (maps === undefined) throw new Error("QuestDB does not run on a Java whose mappings can fail");
  await maps.begin();
  await pause(durationMs);
  await maps.end();
}

async function fillDisk(disk: SmallDisk | undefined, send: () => Promise<void>, random: () => number): Promise<void> {
  if (disk === undefined) throw new Error("DATA_DIR is not on a disk that may be filled");
  // With some space left QuestDB takes commits that it then cannot apply, and suspends the table.
  disk.fill(Math.floor(random() * mostLeftBytes));
  const sending = Promise.all([send(), send(), send()]);
  await pause(5_000 + random() * 15_000);
  disk.free();
  await sending;
}

/** No store answers while it is stopped, and its connections stay open. */
async function freeze(stack: Stack, store: "questdb" | "postgres" | "temporal"): Promise<void> {
  const processId = stack.processId(store);
  if (processId === undefined) throw new Error(`${store} does not run`);
  signalFamily(processId, "SIGSTOP");
  await pause(stoppedMs);
  signalFamily(processId, "SIGCONT");
}

/** A read-only mount of the directory over itself: permissions do not keep root from writing. */
async function holdReadOnly(directory: string, durationMs: number): Promise<void> {
  execFileSync("mount", ["--bind", directory, directory], { stdio: "pipe" });
  execFileSync("mount", ["-o", "remount,bind,ro", directory], { stdio: "pipe" });
  await pause(durationMs);
  // The API may have a file of the mount open.
  execFileSync("umount", ["--lazy", directory], { stdio: "pipe" });
}
