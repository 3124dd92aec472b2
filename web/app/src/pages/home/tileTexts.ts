import { formatShortCount } from "../../texts/format.ts";
import type { AllTexts } from "../../texts/settings/settingsTexts.ts";
import type { SiteFigures } from "./siteFigures.ts";
import type { SiteState } from "./siteState.ts";

type Texts = Pick<AllTexts, "home" | "uptime">;

/** The monitors in a few words: "Up", "3 up", "1 of 3 down", "No monitor". */
export function stateText({ state, count, total }: Omit<SiteState, "incidents">, { home, uptime }: Texts): string {
  if (state === "none") return home.noMonitor;
  const name = uptime.states[state];
  if (total === 1) return name;
  return count === total ? home.allInState(count, name) : home.someInState(count, total, name);
}

/** What else a tile says of a website: who is there now, and how many visits it had today. What is not known is left out. */
export function footTexts({ now, visits, since }: SiteFigures, { home }: Pick<Texts, "home">): string[] {
  if (since === undefined && !visits) return [home.noEvent];
  return [
    ...(now === null ? [] : [home.now(now)]),
    ...(visits === null ? [] : [home.visits(formatShortCount(visits), visits)]),
  ];
}
