import type { Config } from "../../../config.ts";
import type { ExportStorage } from "./exportStorage.ts";
import { LocalStorage } from "./localStorage.ts";

export type StorageSettings = Pick<Config["exports"], "bucket" | "directory">;

const opened = new WeakMap<StorageSettings, Promise<ExportStorage>>();

/** The storage for these settings, one per process. */
export function openStorage(settings: StorageSettings): Promise<ExportStorage> {
  const known = opened.get(settings) ?? open(settings);
  opened.set(settings, known);
  return known;
}

async function open({ bucket, directory }: StorageSettings): Promise<ExportStorage> {
  if (bucket === undefined) return new LocalStorage(directory);
  // The library takes some 40 MB, so it is only loaded when there is a bucket.
  const { S3Storage } = await import("./s3Storage.ts");
  return new S3Storage(bucket);
}
