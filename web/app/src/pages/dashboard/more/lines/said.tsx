import type { LinkTotalClicksRow } from "../../../../../../../packages/client-js/src/rows.ts";
import { measuresAudienceOnly } from "../../../../api/audienceOnly.ts";
import type { AnswerState } from "../../../../api/useAnswer.ts";
import { ChangeText } from "../../../../figures/changeText.tsx";
import { comparedTime } from "../../../../figures/comparedTime.ts";
import { formatCount } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { useDashboard } from "../../context.ts";
import type { Fact } from "./fact.ts";
import { Facts } from "./facts.tsx";
import type { useLineFigures } from "./useLineFigures.ts";
import { vitalFacts } from "./vitalFacts.ts";

type Visits = ReturnType<typeof useLineFigures>["visits"];

type SaidProps<R> = {
  readonly visits: Visits;
  /** The rows of this line; undefined if they were refused. */
  readonly rows: readonly R[] | undefined;
  readonly facts: (rows: readonly R[]) => readonly Fact[];
  /** Said where nothing happened: how to get it. */
  readonly nothing: string;
};

/** The facts of rows, or why there are none. */
function Said<R>({ visits, rows, facts, nothing }: SaidProps<R>) {
  const { websiteId, isRangeUnknown } = useDashboard();
  const { panels, lines } = t();
  if (visits.value === undefined) return visits.error === undefined ? <Waiting /> : panels.notLoaded;
  if (rows === undefined) return measuresAudienceOnly(websiteId) ? lines.audienceOnly : lines.notFiltered;
  if (isRangeUnknown.value) return panels.emptyUnknown;
  const found = facts(rows);
  return found.length === 0 ? nothing : <Facts facts={found} />;
}

export function VitalsSaid({ visits }: { readonly visits: Visits }) {
  return (
    <Said
      visits={visits}
      rows={visits.value?.vitals}
      facts={(rows) => vitalFacts(rows, t())}
      nothing={t().lines.noVitals}
    />
  );
}

/** How many events are named. */
const fewEvents = 3;

export function EventsSaid({ visits }: { readonly visits: Visits }) {
  return (
    <Said
      visits={visits}
      rows={visits.value?.events}
      facts={(rows) =>
        rows
          .slice(0, fewEvents)
          .map(({ name, count }) => ({ key: name, before: name, figure: formatCount(count), value: count }))
      }
      nothing={t().lines.noEvents}
    />
  );
}

export function ErrorsSaid({ visits }: { readonly visits: Visits }) {
  const { lines } = t();
  return (
    <Said
      visits={visits}
      rows={visits.value?.errors}
      facts={([row]) => {
        const [errors, affected] = [row?.totalErrors ?? 0, row?.affectedUsers ?? 0];
        if (errors === 0) return [];
        return [
          { key: "errors", figure: formatCount(errors), after: lines.errors(errors), value: errors },
          { key: "affected", figure: formatCount(affected), after: lines.affected(affected), value: affected },
        ];
      }}
      nothing={lines.noErrors}
    />
  );
}

export function LinksSaid({ clicks }: { readonly clicks: AnswerState<LinkTotalClicksRow> }) {
  const { scope } = useDashboard();
  const { panels, lines } = t();
  const total = clicks.rows?.[0]?.total;
  if (total === undefined) return clicks.error === undefined ? <Waiting /> : panels.notLoaded;
  const { comparison } = clicks;
  const before = comparison?.isComplete === true ? comparison.data[0]?.total : undefined;
  return (
    <Facts
      facts={[{ key: "clicks", figure: formatCount(total), after: lines.clicks(total), value: total }]}
      change={
        <ChangeText
          value={total}
          // Nothing after nothing is no change.
          before={total === 0 && before === 0 ? undefined : before}
          format={formatCount}
          moreIs="better"
          time={comparison === undefined ? "" : comparedTime(comparison, scope.timezone, t())}
        />
      }
    />
  );
}

/** Takes the place of facts that are on their way. */
export function Waiting() {
  return (
    <span class="line-waiting">
      <span class="said">{t().app.loading}</span>
    </span>
  );
}
