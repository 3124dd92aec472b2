import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Env, readConfig } from "../../../src/config.ts";
import type { Log } from "../../../stack/progress.ts";
import { type PartName, type Stack, startStack } from "../../../stack/stack.ts";
import { mountSmallDisk, type SmallDisk } from "./smallDisk.ts";

/** Enough for all stores to start: each must find 1 GiB free. */
const diskBytes = 3 * 1_024 ** 3;

export type FaultStack = { readonly stack: Stack; readonly disk: SmallDisk | undefined; remove(): Promise<void> };

/** The stores and the API for fault rounds, and a worker if asked for, on a disk of their own where one can be mounted. */
export async function startFaultStack(log: Log, env: Env = {}, withWorker = false): Promise<FaultStack> {
  const disk = mountSmallDisk(diskBytes);
  const dataDir = disk?.directory ?? (await mkdtemp(join(tmpdir(), "lookout-faults-")));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  const removeData = async () => (disk ? disk.remove() : await rm(dataDir, { recursive: true, force: true }));
  const own = { DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn", QDB_DEV_MODE_ENABLED: "true" };
  const config = readConfig({ ...process.env, ...own, ...env });
  try {
    const parts: readonly PartName[] = [
      "questdb",
      "postgres",
      "temporal",
      "api",
      ...(withWorker ? ["worker" as const] : []),
    ];
    const stack = await startStack({ config, log, parts, preferUsualPorts: false });
    return {
      stack,
      disk,
      remove: async () => {
        try {
          await stack.stop();
        } finally {
          await removeData();
        }
      },
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}
