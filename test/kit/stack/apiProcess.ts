import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ForkedProcess, forkProcess } from "./forkedProcess.ts";
import { storeEnv } from "./storeEnv.ts";
import { type Values, valuesForProcess } from "./values.ts";

/** An API process of a test's own, as `npm run api` starts it, on the stores of all tests. */
export type ApiProcess = ForkedProcess & {
  readonly baseUrl: string;
  stop(): Promise<void>;
};

type Options = {
  /** Flags of Node. */
  readonly nodeFlags?: readonly string[];
  /** Of the configuration, beside the settings. */
  readonly values?: Values;
};

/** Starts the process and resolves when it is ready; rejects with its output when it ends before. */
export async function startApiProcess(
  env: Readonly<Record<string, string>>,
  { nodeFlags = [], values = {} }: Options = {},
): Promise<ApiProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-api-"));
  const own = valuesForProcess(values);
  const { child, output } = forkProcess("src/main/api.ts", {
    env: { PORT: "0", BASE_URL: "", DATA_DIR: dataDir, ...storeEnv(env), ...own.env },
    nodeFlags: [...own.nodeFlags, ...nodeFlags],
  });
  // However it ends: a test may kill it.
  const removed = once(child, "close").then(() => rm(dataDir, { recursive: true, force: true }));
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message: { ready?: { port: number } }) => resolve(message.ready?.port ?? 0));
    child.once("exit", (code) => reject(new Error(`The API ended with ${code}:\n${output()}`)));
  });
  return {
    child,
    baseUrl: `http://127.0.0.1:${port}`,
    output,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await removed;
    },
  };
}
