import type { Config } from "../../../config.ts";
import type { ExportRow } from "../request/exportRow.ts";
import type { PackedArchive, PackRequest } from "../run/packArchive.ts";
import type { Part, PartRequest } from "../run/writePart.ts";
import type { StorageSettings } from "../storage/openStorage.ts";

/** What a thread of its own is to do. */
export type ExportTask =
  | { readonly kind: "part"; readonly row: ExportRow; readonly dataset: string; readonly part: PartRequest }
  | { readonly kind: "archive"; readonly request: PackRequest };

/** What the task gives back. */
export type TaskResult<T extends ExportTask> = T extends { kind: "part" } ? Part : PackedArchive;

export type TaskSettings = { readonly questdb: Config["questdb"]; readonly exports: StorageSettings };

export type ThreadInput = { readonly task: ExportTask; readonly settings: TaskSettings };

/** What a thread says: how many rows are done, and how it ended. */
export type ThreadMessage =
  | { readonly kind: "rows"; readonly rows: number }
  | { readonly kind: "done"; readonly result: Part | PackedArchive }
  | { readonly kind: "failed"; readonly error: ThreadError };

/** An error as it travels between threads, where classes and codes get lost. */
export type ThreadError = {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: unknown;
};
