import type { UnknownTime } from "../../../../../packages/client-js/src/query.ts";
import { formatDays } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { daysBetween } from "./view/days.ts";

type UnknownNoteProps = {
  /** What comes first: why the times matter here. */
  readonly intro: string;
  readonly unknown: readonly UnknownTime[];
  readonly timezone: string;
};

/** Says of which days nothing is known, and why. Nothing is shown without such days. */
export function UnknownNote({ intro, unknown, timezone }: UnknownNoteProps) {
  const { dashboard } = t();
  if (unknown.length === 0) return null;
  const parts = unknown.map(({ from, until, reason }) => {
    const { first, last } = daysBetween({ from, until }, timezone);
    return dashboard.unknownReasons[reason](formatDays(first, last));
  });
  return (
    <p class="field-hint" data-unknown={unknown.length}>
      {intro} {parts.join("; ")}.
    </p>
  );
}
