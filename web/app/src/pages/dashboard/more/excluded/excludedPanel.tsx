import { useSignal } from "@preact/signals";
import type { LookoutQuery } from "../../../../../../../packages/client-js/src/query.ts";
import type { CallState } from "../../../../api/useCall.ts";
import { formatBucket, formatCount, formatShare } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { BarTable } from "../../../../ui/barTable.tsx";
import { Definition } from "../../../../ui/definition.tsx";
import { Loaded } from "../../../../ui/loaded.tsx";
import { useDashboard } from "../../context.ts";
import { PartTools } from "../../copy/partTools.tsx";
import { partError } from "../../partError.tsx";
import { ExcludedBars } from "./excludedBars.tsx";
import { aiSystemsOf, botsOf, firstCounted, isAllUnknown, nameOf, reasonsOf, sumOf } from "./excludedRows.ts";
import type { Excluded } from "./useExcluded.ts";

/** How many rows are shown at first. */
const fewRows = 8;

export const views = ["reasons", "bots", "ai"] as const;

export type ExcludedView = (typeof views)[number];

type ExcludedPanelProps = {
  readonly state: CallState<Excluded>;
  readonly question: LookoutQuery;
  readonly view: ExcludedView;
  readonly onView: (view: ExcludedView) => void;
};

/** What was sent and is in no figure: over time, by reason, and bots by name. */
export function ExcludedPanel({ state, question, view, onView }: ExcludedPanelProps) {
  const asked = useDashboard().view;
  const { excluded: texts } = t();
  return (
    <section class="panel" aria-labelledby="panel-excluded" data-panel="excluded">
      <div class="panel-head">
        <h2 id="panel-excluded">{texts.title}</h2>
        <div class="tabs excluded-tabs">
          {views.map((name) => (
            <button
              key={name}
              type="button"
              class="tab"
              data-tab={name}
              aria-pressed={name === view}
              onClick={() => onView(name)}
            >
              {texts.views[name]}
            </button>
          ))}
        </div>
        <PartTools name={texts.title} question={question} />
      </div>
      <div class="panel-body" aria-busy={state.isLoading}>
        <Loaded state={state} failed={partError}>
          {({ days, rows }) => {
            const since = firstCounted(days);
            return isAllUnknown(days) ? (
              <p class="panel-empty">{texts.notKnown}</p>
            ) : (
              <>
                <ExcludedBars rows={days} />
                {since !== undefined && (
                  <p class="field-hint excluded-note">{texts.countedSince(formatBucket(since))}</p>
                )}
                <Rows key={view} view={view} rows={rows} />
              </>
            );
          }}
        </Loaded>
      </div>
      <div class="panel-foot excluded-foot">
        <p class="field-hint">
          {texts.scriptsOnly} {asked.filters.length > 0 && texts.filtersDoNotApply}
        </p>
        {view !== "ai" && (
          <button type="button" class="button" data-ask="ai" onClick={() => onView("ai")}>
            {texts.askAi}
          </button>
        )}
      </div>
    </section>
  );
}

type Shown = { readonly key: string; readonly name: string; readonly about: string; readonly count: number };

function shownRows(view: ExcludedView, rows: Excluded["rows"]): Shown[] {
  const { reasons, rules, kinds } = t().excluded;
  if (view === "reasons")
    return reasonsOf(rows).map(({ reason, rule, count }) => ({
      key: `${reason} ${rule}`,
      name: nameOf(reasons, reason),
      about: nameOf(rules, rule),
      count,
    }));
  return (view === "bots" ? botsOf(rows) : aiSystemsOf(rows)).map(({ kind, name, operator, count }) => ({
    key: JSON.stringify([kind, name, operator]),
    // A bot without a name of its own is called by its kind.
    name: kind === "other_bot" && name === "other bot" ? nameOf(kinds, kind) : name,
    about: [nameOf(kinds, kind), operator].filter((part) => part !== "").join(", "),
    count,
  }));
}

function Rows({ view, rows }: { readonly view: ExcludedView; readonly rows: Excluded["rows"] }) {
  const { excluded: texts } = t();
  const showsAll = useSignal(false);
  const all = shownRows(view, rows);
  const count = sumOf(all);
  if (all.length === 0)
    return (
      <p class="panel-empty">{view === "reasons" ? texts.nothing : view === "bots" ? texts.noBots : texts.noAi}</p>
    );
  return (
    <>
      <BarTable
        rows={showsAll.value ? all : all.slice(0, fewRows)}
        head={
          <Definition type={view === "ai" ? "ai_systems" : "excluded_traffic"}>
            {view === "reasons" ? texts.reason : texts.bot}
          </Definition>
        }
        label={({ name, about }) => (about === "" ? name : `${name} (${about})`)}
        rowKey={({ key }) => key}
        columns={[
          { name: texts.events, value: (row) => row.count },
          { name: texts.share, value: (row) => (row.count / count) * 100, format: formatShare, look: "quiet" },
        ]}
      />
      {!showsAll.value && all.length > fewRows && (
        <button
          type="button"
          class="button button-plain"
          onClick={() => {
            showsAll.value = true;
          }}
        >
          {texts.allRows(formatCount(all.length))}
        </button>
      )}
    </>
  );
}
