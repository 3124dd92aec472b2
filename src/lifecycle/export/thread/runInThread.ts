import { Worker } from "node:worker_threads";
import { StorageError } from "../storage/storageError.ts";
import type { ExportTask, TaskResult, TaskSettings, ThreadError, ThreadInput, ThreadMessage } from "./exportTask.ts";

/** Far above what a page of rows takes; without a limit garbage is not collected until the machine's memory is full. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 12 };

/**
 * Runs an export task in a separate thread: encoding rows keeps a processor busy, which would distort what the process
 * measures meanwhile, such as the response times of monitors.
 *
 * `onRows` gets the number of rows so far. Rejects with what the task rejects with, and with the signal's reason after
 * the thread has ended.
 */
export async function runInThread<T extends ExportTask>(
  task: T,
  { questdb, exports: { bucket, directory } }: TaskSettings,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<TaskResult<T>> {
  signal.throwIfAborted();
  const workerData: ThreadInput = { task, settings: { questdb, exports: { bucket, directory } } };
  const thread = new Worker(new URL("./exportThread.ts", import.meta.url), { workerData, resourceLimits });
  const ended = Promise.withResolvers<TaskResult<T>>();
  const abandon = (): void => ended.reject(signal.reason);
  signal.addEventListener("abort", abandon, { once: true });
  thread.on("message", (message: ThreadMessage) => {
    if (message.kind === "rows") onRows(message.rows);
    // The thread returns the result of its own task.
    else if (message.kind === "done") ended.resolve(message.result as TaskResult<T>);
    else ended.reject(errorOf(message.error));
  });
  thread.once("error", ended.reject);
  thread.once("exit", () => ended.reject(new Error("The thread of an export has ended before its task")));
  try {
    return await ended.promise;
  } finally {
    signal.removeEventListener("abort", abandon);
    await thread.terminate();
  }
}

/** With its code, which shows whether a store is unavailable. */
function errorOf({ name, message, stack, code }: ThreadError): Error {
  const error = name === "StorageError" ? new StorageError(message) : new Error(message);
  error.stack = stack ?? error.stack;
  return Object.assign(error, { code });
}
