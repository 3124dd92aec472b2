import { stat } from "node:fs/promises";
import { freeBytesAt } from "../observability/freeBytes.ts";
import {
  addSample,
  type DiskLimits,
  decideDisk,
  type SpaceLeft,
  type SpaceSample,
  spaceLeft,
  spaceText,
} from "./diskSpace.ts";
import type { HealthMetrics } from "./healthMetrics.ts";
import type { HealthSource } from "./source.ts";

type DiskName = "data" | "questdb";
/** The settings' names: an answer on the public port must not show paths of a machine. */
const placeOf = { data: "DATA_DIR", questdb: "QUESTDB_ROOT" };

type Disk = { readonly name: DiskName; readonly path: string };

/** Where the data is; `questdbRoot` only where this machine may see it. */
type DataPaths = { readonly dataDir: string; readonly questdbRoot: string | undefined };

const lookEveryMs = 10_000;

/**
 * Reports the disks of DATA_DIR and of QuestDB's data, if this machine can see them, that are full or nearly so. `shown` is what
 * /readyz answers of each disk.
 */
export function diskSource(
  paths: DataPaths,
  limits: DiskLimits,
  metrics: Pick<HealthMetrics, "diskFreeBytes" | "diskSecondsLeft">,
): HealthSource & { readonly shown: Readonly<Partial<Record<DiskName, SpaceLeft>>> } {
  const samples = new Map<DiskName, readonly SpaceSample[]>();
  let shown: Partial<Record<DiskName, SpaceLeft>> = {};
  return {
    everyMs: lookEveryMs,
    get shown() {
      return shown;
    },
    async read() {
      const disks = await disksOf(paths);
      const lefts = await Promise.all(
        disks.map(async ({ name, path }) => {
          const freeBytes = await freeBytesAt(path);
          const known = addSample(samples.get(name) ?? [], { atMs: performance.now(), freeBytes });
          samples.set(name, known);
          const left = spaceLeft(known);
          metrics.diskFreeBytes.set({ disk: name }, left.freeBytes);
          if (left.secondsLeft === undefined) metrics.diskSecondsLeft.remove({ disk: name });
          else metrics.diskSecondsLeft.set({ disk: name }, left.secondsLeft);
          return { name, left };
        }),
      );
      shown = Object.fromEntries(lefts.map(({ name, left }) => [name, left]));
      return lefts.flatMap(({ name, left }) => {
        const state = decideDisk(left, limits);
        return state === undefined
          ? []
          : [{ state, of: name, message: `on the disk of ${placeOf[name]} ${spaceText(left)}` }];
      });
    },
  };
}

/** Returns one disk if both are on the same. */
async function disksOf({ dataDir, questdbRoot }: DataPaths): Promise<Disk[]> {
  const data = { name: "data", path: dataDir } as const;
  const questdb = questdbRoot === undefined ? undefined : await stat(questdbRoot).catch(() => undefined);
  if (questdbRoot === undefined || questdb === undefined || questdb.dev === (await stat(dataDir)).dev) return [data];
  return [data, { name: "questdb", path: questdbRoot }];
}
