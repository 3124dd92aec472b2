import type { StatusPageMonitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { isKnown } from "../../../ui/uptime/shownDay.ts";
import { type Checking, checksOfDays } from "../../../ui/uptime/uptimeText.ts";

/** About how many checks a monitor had in the days of a status page. Undefined where its interval is not known. */
export function checksOfMonitor(
  { days }: Pick<StatusPageMonitor, "days">,
  known: Checking | undefined,
  nowMs: number,
): number | undefined {
  if (known === undefined) return undefined;
  // Checks may be older than their monitor, as those of the demo are.
  const first = days.find(isKnown)?.date;
  const createdAt = first !== undefined && first < known.createdAt ? first : known.createdAt;
  const dated = days.map(({ date, coveragePercent }) => ({ timestamp: date, coveragePercent }));
  return checksOfDays(dated, { interval: known.interval, createdAt }, nowMs);
}
