import type { QueryAnswer } from "../../../../../packages/client-js/src/query.ts";
import type {
  ActiveStatsRow,
  RealtimeRecentCountriesRow,
  RealtimeRecentDevicesRow,
  RealtimeRecentEventsRow,
  RealtimeRecentPagesRow,
  RealtimeRecentReferrersRow,
  RealtimeRecentStatsRow,
  RealtimeVelocityRow,
} from "../../../../../packages/client-js/src/rows.ts";
import type { RealtimeParameters } from "./realtimeQuestion.ts";

/** What happens on a website, at one moment. A part that could not be answered is undefined. */
export type RealtimeFigures = {
  /** When the answer arrived. */
  readonly atMs: number;
  readonly now: ActiveStatsRow | undefined;
  readonly recent: RealtimeRecentStatsRow | undefined;
  readonly minutes: readonly RealtimeVelocityRow[] | undefined;
  readonly pages: readonly RealtimeRecentPagesRow[] | undefined;
  readonly referrers: readonly RealtimeRecentReferrersRow[] | undefined;
  readonly countries: readonly RealtimeRecentCountriesRow[] | undefined;
  readonly devices: readonly RealtimeRecentDevicesRow[] | undefined;
  readonly events: readonly RealtimeRecentEventsRow[] | undefined;
};

export function figuresOf({ data }: QueryAnswer<RealtimeParameters>, atMs: number): RealtimeFigures {
  const [now, recent, minutes, pages, referrers, countries, devices, events] = data;
  return {
    atMs,
    now: now.data?.[0],
    recent: recent.data?.[0],
    minutes: minutes.data ?? undefined,
    pages: pages.data ?? undefined,
    referrers: referrers.data ?? undefined,
    countries: countries.data ?? undefined,
    devices: devices.data ?? undefined,
    events: events.data ?? undefined,
  };
}
