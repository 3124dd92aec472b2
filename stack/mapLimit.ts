import { readFile, writeFile } from "node:fs/promises";
import type { Log } from "./progress.ts";

const settingOfLinux = "/proc/sys/vm/max_map_count";

/**
 * Raises `vm.max_map_count` of this machine to `wanted` if that is permitted, as a rule to root, and logs the result. It is never
 * lowered, and lasts until the machine restarts; 0 leaves it unchanged. Only Linux has this limit.
 *
 * QuestDB maps a file for each column and day that is read. With Linux's default of 65,530, mappings fail while many days are
 * read at once, and then QuestDB may fail as a whole.
 */
export async function raiseMapLimit(wanted: number, log: Log, file = settingOfLinux): Promise<void> {
  const current = await readLimit(file);
  if (current === undefined || current >= wanted) return;
  await writeFile(file, String(wanted)).catch(() => undefined);
  const now = (await readLimit(file)) ?? current;
  log(
    now >= wanted
      ? `raised vm.max_map_count of this machine from ${current} to ${now} for QuestDB, until the machine restarts (MAX_MAP_COUNT=0 leaves it)`
      : `Linux lets QuestDB map ${now} files only, and this user may not raise that: answers over long ranges take longer, and some are refused while many are read. As root: sysctl -w vm.max_map_count=${wanted}`,
  );
}

async function readLimit(file: string): Promise<number | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trim() === "" ? undefined : Number(text);
}
