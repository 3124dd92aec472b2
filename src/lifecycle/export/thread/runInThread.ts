import { Worker } from "node:worker_threads";
import { FairQueue } from "../../../concurrency/fairQueue.ts";
import { dayMs } from "../../../time/utcDay.ts";
import { StorageError } from "../storage/storageError.ts";
import type { ExportTask, TaskResult, TaskSettings, ThreadError, ThreadInput, ThreadMessage } from "./exportTask.ts";

/** Far above what a piece of rows takes; without a limit garbage is not collected until the machine's memory is full. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 12 };

/** A thread takes 0.2 s to start, as long as a part of some 40,000 rows. So it is kept for the next part for a while. */
const keptMs = 5_000;

/** How long a task may take to end: a bucket removes what it has of a file, and DuckDB's process ends. */
const endingMs = 5_000;

/**
 * A task takes up to 300 MB, and two of them take all that QuestDB reads for them. The others wait, as long as Temporal lets them;
 * each organization has its turn.
 */
const queue = new FairQueue({
  atOnce: 2,
  atOncePerOwner: 2,
  maxWaiting: Number.POSITIVE_INFINITY,
  maxWaitingPerOwner: Number.POSITIVE_INFINITY,
  maxWaitMs: dayMs,
});

/** Threads without a task, and what ends them. */
const idle = new Map<Worker, { readonly timer: NodeJS.Timeout; readonly end: () => void }>();

/**
 * Runs an export task in a separate thread: encoding rows keeps a processor busy, which would distort what the process
 * measures meanwhile, such as the response times of monitors.
 *
 * `onRows` gets the number of rows so far. Rejects with what the task rejects with, and with the signal's reason after
 * the thread has ended.
 */
export async function runInThread<T extends ExportTask>(
  task: T,
  settings: TaskSettings,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<TaskResult<T>> {
  const { organizationId } = task.kind === "part" ? task.row : task.request.row;
  try {
    return await queue.run(organizationId, signal, () => runNow(task, settings, onRows, signal));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

async function runNow<T extends ExportTask>(
  task: T,
  { questdb, postgres: { url }, exports: { bucket, directory } }: TaskSettings,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<TaskResult<T>> {
  signal.throwIfAborted();
  const thread = takeThread();
  const ended = Promise.withResolvers<TaskResult<T>>();
  let timer: NodeJS.Timeout | undefined;
  const abandon = (): void => {
    const abort: ThreadInput = { kind: "abort" };
    thread.postMessage(abort);
    timer = setTimeout(() => ended.reject(signal.reason), endingMs);
  };
  signal.addEventListener("abort", abandon, { once: true });
  const listen = (message: ThreadMessage): void => {
    if (message.kind === "rows") onRows(message.rows);
    // The thread returns the result of its own task.
    else if (message.kind === "done") ended.resolve(message.result as TaskResult<T>);
    else ended.reject(errorOf(message.error));
  };
  const lose = (): void => ended.reject(new Error("The thread of an export has ended before its task"));
  thread.on("message", listen).on("error", ended.reject).on("exit", lose);
  const settings: TaskSettings = { questdb, postgres: { url }, exports: { bucket, directory } };
  const input: ThreadInput = { kind: "task", task, settings };
  thread.postMessage(input);
  try {
    const result = await ended.promise;
    thread.off("message", listen).off("error", ended.reject).off("exit", lose);
    keep(thread);
    return result;
  } catch (error) {
    // What the task still does ends with it.
    await thread.terminate();
    throw error;
  } finally {
    signal.removeEventListener("abort", abandon);
    clearTimeout(timer);
  }
}

function takeThread(): Worker {
  const [kept] = idle;
  if (kept === undefined) return new Worker(new URL("./exportThread.ts", import.meta.url), { resourceLimits });
  const [thread, { timer, end }] = kept;
  clearTimeout(timer);
  idle.delete(thread);
  thread.off("error", end).off("exit", end).ref();
  return thread;
}

function keep(thread: Worker): void {
  const end = (): void => {
    idle.delete(thread);
    void thread.terminate();
  };
  // It does not keep the process running.
  thread.on("error", end).on("exit", end).unref();
  idle.set(thread, { timer: setTimeout(end, keptMs).unref(), end });
}

/** With its code, which shows whether a store is unavailable. */
function errorOf({ name, message, stack, code }: ThreadError): Error {
  const error = name === "StorageError" ? new StorageError(message) : new Error(message);
  error.stack = stack ?? error.stack;
  return Object.assign(error, { code });
}
