import { setTimeout as pause } from "node:timers/promises";
import { ApiError } from "../../errors.ts";

/** Idle readers of QuestDB go within seconds, and their files with them. */
const pausesMs = [250, 1_000, 3_000, 6_000];

/**
 * Runs a read again when QuestDB cannot map its files into memory because other reads have mapped as many as the system lets it: each column of
 * each day is one, and Linux allows 65,530 unless told otherwise (vm.max_map_count). Rejects with SERVICE_UNAVAILABLE when none come free, or when
 * `mayRepeat` says that rows were handed on already.
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
      if (pauseMs === undefined || !mayRepeat())
        throw new ApiError("SERVICE_UNAVAILABLE", "Too many days are being read at once. Try again in a few seconds", {
          headers: { "retry-after": "5" },
          cause: error,
        });
      // Where the caller has gone the next attempt says so.
      await pause(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  }
}

function isOutOfMaps(error: unknown): boolean {
  return error instanceof Error && /could not mmap/.test(error.message);
}
