import type { QuestdbReader } from "../store/questdb/questdbReader.ts";
import type { HealthMetrics } from "./healthMetrics.ts";
import type { HealthSource } from "./source.ts";
import type { Condition } from "./states.ts";

/** What /readyz shows of the files that a QuestDB has mapped; null where unknown. */
type MapsShown = { readonly node?: string; readonly mapped: number | null; readonly limit: number | null };

const lookEveryMs = 5_000;

/**
 * Reports how many files each QuestDB has mapped, where this machine can see that, and whether it refuses reads over long ranges
 * because of that.
 */
export function mapsSource(
  nodes: readonly { readonly name: string; readonly reader: Pick<QuestdbReader, "maps"> }[],
  metrics: Pick<HealthMetrics, "questdbMaps" | "questdbMapLimit">,
): HealthSource & { readonly shown: readonly MapsShown[] } {
  let shown: readonly MapsShown[] = [];
  return {
    everyMs: lookEveryMs,
    get shown() {
      return shown;
    },
    async read() {
      const looks = await Promise.all(nodes.map(async ({ name, reader }) => ({ name, ...(await reader.maps.look()) })));
      for (const { name, mapped, limit } of looks) {
        const labels = name === "" ? {} : { node: name };
        if (mapped === undefined) metrics.questdbMaps.remove(labels);
        else metrics.questdbMaps.set(labels, mapped);
        if (limit === undefined) metrics.questdbMapLimit.remove(labels);
        else metrics.questdbMapLimit.set(labels, limit);
      }
      shown = looks.map(({ name, mapped = null, limit = null }) => ({
        ...(name !== "" && { node: name }),
        mapped,
        limit,
      }));
      return nodes.flatMap(({ name, reader }): Condition[] => {
        const message = reader.maps.lowMessage;
        return message === undefined ? [] : [{ state: "maps_low", ...(name !== "" && { of: name }), message }];
      });
    },
  };
}
