import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { whenMissing } from "../../errors/errorCode.ts";

/** A directory of QuestDB to back up; with everything below it if `isRecursive`. */
export type QuestdbDirectory = { readonly name: string; readonly path: string; readonly isRecursive: boolean };

/**
 * The directories of QuestDB after a checkpoint, each a part of the backup. A partition whose time is over is a part that no
 * later backup stores again. `root` is QuestDB's data root.
 *
 * Older versions of partitions are included, since only the checkpoint says which are old. They may vanish, while QuestDB keeps
 * those of the checkpoint. Segments of the write-ahead log are left out: if nothing is committed during the checkpoint, and
 * everything committed is applied, the tables do not need them.
 */
export async function questdbDirectories(root: string): Promise<QuestdbDirectory[]> {
  const found: QuestdbDirectory[] = [
    { name: "questdb/.checkpoint", path: join(dirname(root), ".checkpoint"), isRecursive: true },
    { name: "questdb/db", path: root, isRecursive: false },
  ];
  for (const table of await directoriesIn(root)) {
    const path = join(root, table);
    found.push({ name: `questdb/db/${table}`, path, isRecursive: false });
    for (const name of await directoriesIn(path))
      if (!/^wal\d+$/.test(name))
        found.push({ name: `questdb/db/${table}/${name}`, path: join(path, name), isRecursive: true });
  }
  return found;
}

async function directoriesIn(path: string): Promise<string[]> {
  const entries = (await readdir(path, { withFileTypes: true }).catch(whenMissing)) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}
