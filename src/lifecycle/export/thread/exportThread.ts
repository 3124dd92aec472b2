/** The thread that runs one ExportTask; see runInThread.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import { datasets } from "../run/datasets.ts";
import { type PackedArchive, packArchive } from "../run/packArchive.ts";
import { type Part, writePart } from "../run/writePart.ts";
import { openStorage } from "../storage/openStorage.ts";
import type { ThreadError, ThreadInput, ThreadMessage } from "./exportTask.ts";

// Typed by the code that starts the thread.
const { task, settings }: ThreadInput = workerData;
const say = (message: ThreadMessage): void => parentPort?.postMessage(message);
const onRows = (rows: number): void => say({ kind: "rows", rows });
/** The thread is terminated from outside. */
const { signal: never } = new AbortController();

try {
  say({ kind: "done", result: await run() });
} catch (error) {
  say({ kind: "failed", error: sentError(error instanceof Error ? error : new Error(String(error))) });
}

async function run(): Promise<Part | PackedArchive> {
  const storage = await openStorage(settings.exports);
  if (task.kind === "archive") return await packArchive(storage, task.request, onRows, never);
  const dataset = datasets.find(({ name }) => name === task.dataset);
  if (dataset === undefined) throw new Error(`there is no dataset ${task.dataset}`);
  const questdb = new QuestdbReader({ ...settings.questdb, poolSize: 1 });
  try {
    return await writePart({ questdb, storage }, task.row, dataset, task.part, onRows, never);
  } finally {
    await questdb.close();
  }
}

function sentError(error: Error): ThreadError {
  const { name, message, stack } = error;
  return { name, message, stack, code: "code" in error ? error.code : undefined };
}
