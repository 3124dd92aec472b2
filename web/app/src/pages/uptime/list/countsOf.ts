import { allTexts } from "../../../texts/settings/settingsTexts.ts";

/** How many monitors there are, and how many of them are not up. */
export function countsOf(states: readonly (string | undefined)[]): string {
  const { uptime: texts } = allTexts();
  const countOf = (name: string): number => states.filter((state) => state === name).length;
  return [
    texts.monitorCount(states.length),
    ...(["down", "degraded", "paused"] as const).flatMap((name) =>
      countOf(name) === 0 ? [] : [`${countOf(name)} ${texts.stateCounts[name]}`],
    ),
  ].join(" · ");
}
