import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { whenMissing } from "../../errors/errorCode.ts";

/** A directory of QuestDB to back up, with what is below it if `isRecursive`. */
export type QuestdbDirectory = { readonly name: string; readonly path: string; readonly isRecursive: boolean };

/**
 * The directories of QuestDB once a checkpoint was made, each a part of the backup: a partition that is over is a part
 * that no later backup stores again. `root` is QuestDB's data root.
 *
 * Older versions of partitions are among them, since the checkpoint alone says which are old; they may vanish, while
 * QuestDB keeps those of the checkpoint. Segments of the write-ahead log are left out: at a checkpoint that is made while
 * nothing is committed, and all that was committed is applied, the tables do not need them.
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
