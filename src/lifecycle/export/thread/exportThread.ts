/** The thread that runs ExportTasks, one after the other; see runInThread.ts. */
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { datasets } from "../datasets.ts";
import type { PackedArchive } from "../exportRun.ts";
import { packArchive } from "../run/packArchive.ts";
import { type Part, writePart } from "../run/writePart.ts";
import { openStorage } from "../storage/openStorage.ts";
import type { ExportTask, TaskSettings, ThreadError, ThreadInput, ThreadMessage } from "./exportTask.ts";

const say = (message: ThreadMessage): void => parentPort?.postMessage(message);
const onRows = (rows: number): void => say({ kind: "rows", rows });
/** Ends the task. */
let ending = new AbortController();

// On Linux this is about the calling thread only: checks of monitors and answers come before exports.
setPriority(19);

// Typed by the code that starts the thread.
parentPort?.on("message", async (input: ThreadInput) => {
  if (input.kind === "abort") return ending.abort();
  ending = new AbortController();
  try {
    say({ kind: "done", result: await run(input.task, input.settings, ending.signal) });
  } catch (error) {
    say({ kind: "failed", error: sentError(error instanceof Error ? error : new Error(String(error))) });
  }
});

async function run(task: ExportTask, settings: TaskSettings, signal: AbortSignal): Promise<Part | PackedArchive> {
  const storage = await openStorage(settings.exports);
  if (task.kind === "archive") return await packArchive(storage, task.request, onRows, signal);
  const dataset = datasets.find(({ name }) => name === task.dataset);
  if (dataset === undefined) throw new Error(`there is no dataset ${task.dataset}`);
  const sources = { questdb: settings.questdb.http, postgres: settings.postgres };
  return await writePart({ sources, storage }, task.row, dataset, task.part, onRows, signal);
}

function sentError(error: Error): ThreadError {
  const { name, message, stack } = error;
  return { name, message, stack, code: "code" in error ? error.code : undefined };
}
