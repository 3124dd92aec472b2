import type { UnknownTime } from "../../../../../../packages/client-js/src/query.ts";
import { useAnswer } from "../../../api/useAnswer.ts";
import { daysBetween, localTime } from "../../../figures/days.ts";
import { keptSince, lacksStart, mergedUnknown } from "../../../figures/unknownTimes.ts";
import { formatDay, formatDays } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { useDashboard } from "../context.ts";

type UnknownNoteProps = {
  /** The first sentence: why the times matter here. */
  readonly intro: string;
  readonly unknown: readonly UnknownTime[];
};

/** Says which days are unknown, why, and since when figures are kept. Shows nothing without such days. */
export function UnknownNote({ intro, unknown }: UnknownNoteProps) {
  const { scope } = useDashboard();
  const { dashboard } = t();
  const times = mergedUnknown(unknown);
  const [first] = times;
  if (first === undefined) return null;
  const parts = times.map(({ from, until, reason }) => {
    const days = daysBetween({ from, until }, scope.timezone);
    return dashboard.unknownReasons[reason](formatDays(days.first, days.last));
  });
  return (
    <p class="field-hint" data-unknown={times.length}>
      {intro} {parts.join("; ")}. {lacksStart(times) && <KeptSince from={first.from} />}
    </p>
  );
}

/** Since when figures are kept. Asks for all days from `from` on, since the range on screen may end earlier. */
function KeptSince({ from }: { readonly from: string }) {
  const { websiteId, scope, now } = useDashboard();
  const { timezone } = scope;
  const startDate = localTime(timezone, Date.parse(from)).day;
  const answer = useAnswer({ websiteId, timezone, startDate, endDate: now.day, parameters: ["page_views"] });
  const day = keptSince(answer.unknown, Date.now(), timezone);
  return day === undefined ? null : t().dashboard.keptSince(formatDay(day));
}
