import { join } from "node:path";
import type { Config } from "../../config.ts";
import { type BackupPart, places } from "../manifest.ts";
import { type FoundFile, findFiles, sourceOf } from "./fileSources.ts";
import { packPart, type Writing } from "./packPart.ts";

/** Files of DATA_DIR that belong to the servers that run on it, not to the data. */
export const filesOfServers: readonly string[] = ["questdb.password", "running.json"];

/**
 * Backs up what processes keep in DATA_DIR: the log of accepted rows with its dead letters, and the files beside it,
 * such as credentials.json and keys. Exports are not part of a backup: they can be made again.
 */
export async function packDataDir(writing: Writing, { stack }: Pick<Config, "stack">): Promise<BackupPart[]> {
  const { dataDir } = stack;
  const log = await findFiles(dataDir, join(dataDir, "log"), places.dataDir, true);
  const beside = await findFiles(dataDir, dataDir, places.dataDir, false);
  const isData = ({ path }: FoundFile) => !filesOfServers.includes(path.slice(places.dataDir.length));
  return [
    await packPart(writing, "log", log.map(sourceOf)),
    await packPart(writing, "files", beside.filter(isData).map(sourceOf)),
  ];
}
