import { dirname } from "node:path";
import type { Config } from "../../config.ts";
import { BackupError } from "../backupError.ts";
import { type BackupPart, type Manifest, objectName, places } from "../manifest.ts";
import { findFiles, sourceOf, unchangedPart } from "./fileSources.ts";
import { packPart, type Writing } from "./packPart.ts";
import type { QuestdbDirectory } from "./questdbParts.ts";

/** Stores QuestDB's directories once it has made a checkpoint. Directories unchanged since the `earlier` backup are not read. */
export async function packQuestdb(
  writing: Writing,
  directories: readonly QuestdbDirectory[],
  root: string,
  earlier: Manifest | undefined,
): Promise<BackupPart[]> {
  const parts: BackupPart[] = [];
  for (const { name, path, isRecursive } of directories) {
    writing.signal.throwIfAborted();
    const found = await findFiles(dirname(root), path, places.questdb, isRecursive);
    const known = earlier?.parts.find((part) => part.name === name);
    const same = isStored(writing, known)
      ? unchangedPart(known, Date.parse(earlier?.startedAt ?? ""), found)
      : undefined;
    parts.push(same ?? (await packPart(writing, name, found.map(sourceOf))));
  }
  return parts;
}

/** Whether the target still has the object of a part in its full size. Files there may have been lost since that backup. */
function isStored({ known }: Pick<Writing, "known">, part: BackupPart | undefined): part is BackupPart {
  const bytes = part && known.get(objectName(part.object));
  return part !== undefined && bytes !== undefined && (part.storedBytes ?? bytes) === bytes;
}

/** QuestDB's data root. Throws BackupError when its files are not on this machine. */
export function rootOf({ questdb }: Pick<Config, "questdb">): string {
  if (questdb.root !== undefined) return questdb.root;
  throw new BackupError(
    "QuestDB's files are needed. Run this on QuestDB's machine with QUESTDB_ROOT set to its data root (see docs/operate/backup.md).",
  );
}
