import type { Config } from "../../../config.ts";
import type { ExportRow } from "../exportRow.ts";
import type { PackedArchive } from "../exportRun.ts";
import type { PackRequest } from "../run/packArchive.ts";
import type { PostgresAddress } from "../run/readIncidents.ts";
import type { Part, PartRequest } from "../run/writePart.ts";
import type { StorageSettings } from "../storage/openStorage.ts";

/** A task for a separate thread. */
export type ExportTask =
  | { readonly kind: "part"; readonly row: ExportRow; readonly dataset: string; readonly part: PartRequest }
  | { readonly kind: "archive"; readonly request: PackRequest };

/** The result of the task. */
export type TaskResult<T extends ExportTask> = T extends { kind: "part" } ? Part : PackedArchive;

export type TaskSettings = {
  readonly questdb: Config["questdb"];
  readonly postgres: PostgresAddress;
  readonly exports: StorageSettings;
};

/** Messages to the thread: a task, and that its task is to end. */
export type ThreadInput =
  | { readonly kind: "task"; readonly task: ExportTask; readonly settings: TaskSettings }
  | { readonly kind: "abort" };

/** Messages from the thread: rows done so far, and its result. */
export type ThreadMessage =
  | { readonly kind: "rows"; readonly rows: number }
  | { readonly kind: "done"; readonly result: Part | PackedArchive }
  | { readonly kind: "failed"; readonly error: ThreadError };

/** An error as it is sent between threads, where classes and codes get lost. */
export type ThreadError = {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: unknown;
};
