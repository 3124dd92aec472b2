import { useRef } from "preact/hooks";
import { t } from "../../texts/texts.ts";
import { useDashboard } from "./context.ts";
import { fieldName } from "./fieldName.ts";
import { GoalHint } from "./goalHint.tsx";
import { useKeptFocus } from "./useKeptFocus.ts";
import { useShown } from "./useShown.ts";
import { valueName } from "./valueName.ts";
import { hrefOfView } from "./view/currentView.ts";
import { type ViewFilter, valuesOf, writeFilter } from "./view/filter.ts";
import { withoutFilter } from "./view/view.ts";

/** The chosen goal and the active filters, each with a link that removes it. */
export function FilterBar() {
  const { view, goal } = useDashboard();
  const { dashboard, more } = t();
  const bar = useRef<HTMLUListElement>(null);
  const chips = [...(goal === undefined ? [] : [goal]), ...view.filters];
  useShown(bar, chips);
  useKeptFocus(
    bar,
    chips.map((chip) => JSON.stringify(chip)),
  );
  if (view.filters.length === 0 && goal === undefined) return null;
  return (
    <>
      <ul class="filters" ref={bar} aria-label={dashboard.filters}>
        {goal !== undefined && (
          <li>
            <Chip href={hrefOfView({ ...view, goal: undefined })} name={`${more.goal}:`} value={goal.value} />
          </li>
        )}
        {view.filters.map((filter, index) => (
          <li key={writeFilter(filter)}>
            <Chip href={hrefOfView(withoutFilter(view, index))} name={conditionOf(filter)} value={shownValue(filter)} />
          </li>
        ))}
        {view.filters.length > 1 && (
          <li>
            <a class="filter filter-all" href={hrefOfView({ ...view, filters: [] })} data-keep-scroll>
              {dashboard.removeFilters}
            </a>
          </li>
        )}
      </ul>
      {goal !== undefined && <GoalHint goal={goal} />}
    </>
  );
}

type ChipProps = {
  /** The view without it. */
  readonly href: string;
  readonly name: string;
  readonly value: string;
};

function Chip({ href, name, value }: ChipProps) {
  return (
    <a class="filter" href={href} data-keep-scroll data-chip>
      <span>
        {name} <b>{value}</b>
      </span>
      <span aria-hidden="true">×</span>
      <span class="said">{t().dashboard.removeFilter}</span>
    </a>
  );
}

/** The field and the operator. */
function conditionOf({ field, op }: ViewFilter): string {
  const texts = t();
  return `${fieldName(field, texts)} ${texts.dashboard.operators[op]}`;
}

/** Only whole values have names: in "contains DE" the value is letters. */
function shownValue(filter: ViewFilter): string {
  const isWhole = ["eq", "ne", "in", "not_in"].includes(filter.op);
  const texts = t();
  return valuesOf(filter)
    .map((value) => (isWhole ? valueName(filter.field, value, texts) : value))
    .join(", ");
}
