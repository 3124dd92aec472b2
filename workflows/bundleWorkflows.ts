import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleKey, keepBundle, keptBundle } from "./bundleCache.ts";

/** The code of all workflows, as Temporal's worker takes it. */
export type WorkflowBundle = { readonly code: string };

export type BundleOptions = {
  /** Workflows hand traces on. */
  readonly traces: boolean;
  /** Keeps the bundle for the next start: making it takes three seconds of processor time, most of what a start takes. */
  readonly cacheDir: string;
};

/** The bundle of the workflows. Rejects when it cannot be made; the process that makes it has said why on standard error. */
export async function bundleWorkflows({ traces, cacheDir }: BundleOptions): Promise<WorkflowBundle> {
  const args = traces ? ["--traces"] : [];
  const key = await bundleKey(args);
  const file = join(cacheDir, `workflows${args.join("")}.js`);
  const kept = key === undefined ? undefined : await keptBundle(file, key);
  if (kept !== undefined) return { code: kept };
  const made = await makeBundle(args);
  if (key !== undefined) await keepBundle(cacheDir, file, key, made.code);
  return made;
}

/** In a process of its own: what webpack takes for it, 170 MB, would stay in the memory of the worker. */
function makeBundle(args: readonly string[]): Promise<WorkflowBundle> {
  return new Promise((resolve, reject) => {
    const script = fileURLToPath(new URL("./bundle.ts", import.meta.url));
    const child = fork(script, [...args], {
      execArgv: [],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    // Only bundle.ts sends messages.
    child.once("message", (message) => resolve(message as WorkflowBundle));
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      reject(new Error(`The workflows could not be bundled: the process ended with ${signal ?? `exit code ${code}`}`)),
    );
  });
}
