import type { ExcludedTrafficByDayRow } from "../../../../../../../packages/client-js/src/rows.ts";
import { formatBucket, formatCount } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";

type ExcludedBarsProps = { readonly rows: readonly Pick<ExcludedTrafficByDayRow, "date" | "count">[] };

/** A bar for each bucket, as high as its events. What is not known is hatched, not empty. */
export function ExcludedBars({ rows }: ExcludedBarsProps) {
  const { excluded } = t();
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0));
  return (
    <ol class="excluded-bars" aria-label={excluded.overTime}>
      {rows.map(({ date, count }) => {
        const text =
          count === null
            ? excluded.unknownBar(formatBucket(date))
            : excluded.bar(formatBucket(date), formatCount(count));
        return (
          <li
            key={date}
            title={text}
            data-bucket={date}
            data-value={count ?? undefined}
            data-unknown={count === null ? "true" : undefined}
            style={{ "--part": String((count ?? 0) / most) }}
          >
            <span class="said">{text}</span>
          </li>
        );
      })}
    </ol>
  );
}
