import { setTimeout as pause } from "node:timers/promises";
import { StoreFailure } from "../../errors/storeFailure.ts";
import { failedMappingIn } from "./failedMappings.ts";

/** A read was not begun, since the files that it needs may be more than QuestDB can still map. */
export class NoRoomForMapsError extends Error {
  override name = "NoRoomForMapsError";
}

/** Idle readers of QuestDB are closed within seconds, and their files with them. */
const pausesMs = [250, 1_000, 3_000, 6_000];

/**
 * Repeats a read when QuestDB cannot map its files into memory because other reads have used up the system's limit:
 * each column of each day is one mapped file, and Linux allows 65,530 by default (vm.max_map_count). The same for one that was not begun for
 * lack of room. Rejects with StoreFailure when none become free, or when `mayRepeat` says that rows were handed on already.
 */
export async function whenFilesCanBeMapped(
  read: () => Promise<void>,
  mayRepeat: () => boolean,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!isOutOfMaps(error)) throw error;
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined || !mayRepeat()) throw new StoreFailure({ kind: "too_many_files" }, error);
      // If the caller has gone, the next attempt fails with that.
      await pause(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  }
}

function isOutOfMaps(error: unknown): boolean {
  return (
    error instanceof NoRoomForMapsError || (error instanceof Error && failedMappingIn(error.message) !== undefined)
  );
}
