import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The code of all workflows, as Temporal's worker takes it. */
export type WorkflowBundle = { readonly code: string };

/**
 * Bundles the workflows in a process of its own: what webpack takes for it, 170 MB, would stay in the memory of the worker. Rejects when
 * that fails; the process has said why on standard error. With `traces` workflows hand traces on.
 */
export function bundleWorkflows({ traces }: { readonly traces: boolean }): Promise<WorkflowBundle> {
  return new Promise((resolve, reject) => {
    const script = fileURLToPath(new URL("./bundle.ts", import.meta.url));
    const child = fork(script, traces ? ["--traces"] : [], {
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
