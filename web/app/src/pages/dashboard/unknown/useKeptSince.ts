import type { LookoutError } from "../../../api/client.ts";
import { useAnswer } from "../../../api/useAnswer.ts";
import { addDays, localTime } from "../../../figures/days.ts";
import { keptSince } from "../../../figures/unknownTimes.ts";

/** The service's limit of a range is ten years. */
const mostDays = 3_650;

export type KeptSince = {
  readonly isKnown: boolean;
  /** The first day that figures are kept of. Undefined until known, and while nothing is kept. */
  readonly day: string | undefined;
  readonly error: LookoutError | undefined;
  readonly retry: () => void;
};

/** Asks since when figures of a website are kept. */
export function useKeptSince(websiteId: string, timezone: string, isWanted = true): KeptSince {
  const today = localTime(timezone, Date.now()).day;
  const range = { startDate: addDays(today, 1 - mostDays), endDate: today };
  const { rows, unknown, error, retry } = useAnswer(
    { websiteId, timezone, ...range, parameters: ["page_views"] },
    { isWanted },
  );
  return { isKnown: rows !== undefined, day: keptSince(unknown, Date.now(), timezone), error, retry };
}
