import { useRef } from "preact/hooks";
import { query } from "../../api/client.ts";
import { useCall } from "../../api/useCall.ts";
import { ChangeText } from "../../figures/changeText.tsx";
import { comparedTime } from "../../figures/comparedTime.ts";
import { formatCount } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { NoValue } from "../../ui/noValue.tsx";
import { Sparkline } from "../../ui/spark/sparkline.tsx";
import { useOnScreen } from "../../ui/useOnScreen.ts";

type LinkTrendProps = { readonly linkId: string; readonly zone: string };

/** The clicks of a link in the last 30 days: their course, their number, and its change. Asked for once the row is on screen. */
export function LinkTrend({ linkId, zone }: LinkTrendProps) {
  const { links: texts } = t();
  const element = useRef<HTMLDivElement>(null);
  const isWanted = useOnScreen(element);
  const { value, error } = useCall(JSON.stringify([linkId, zone]), (signal) => ask(linkId, zone, signal), { isWanted });
  return (
    <div class="link-trend" ref={element}>
      {/* The running day is not over, so the line ends with the last whole one. */}
      <Sparkline values={value?.byDay?.slice(0, -1)} />
      <span class="link-month">
        <span class="said">{texts.lastMonth} </span>
        {value?.total === undefined ? (
          error !== undefined && <NoValue />
        ) : (
          <data value={value.total} data-figure="month">
            {formatCount(value.total)}
          </data>
        )}
      </span>
      <span class="link-change">
        <ChangeText
          value={value?.total}
          before={value?.before}
          format={formatCount}
          moreIs="better"
          time={value?.time ?? ""}
        />
      </span>
    </div>
  );
}

async function ask(linkId: string, timezone: string, signal: AbortSignal) {
  const { data } = await query(
    {
      linkId,
      timezone,
      preset: "last_30d",
      compare: "previous",
      parameters: ["link_total_clicks", "link_clicks_by_day"],
    },
    { signal },
  );
  const [total, byDay] = data;
  const comparison = total.success ? (total.comparison ?? undefined) : undefined;
  return {
    total: total.success ? total.data[0]?.total : undefined,
    before: comparison?.isComplete === true ? comparison.data[0]?.total : undefined,
    time: comparison === undefined ? "" : comparedTime(comparison, timezone, t()),
    byDay: byDay.success ? byDay.data.map(({ clicks }) => clicks) : undefined,
  };
}
