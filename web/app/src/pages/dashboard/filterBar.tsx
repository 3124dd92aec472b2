import { formatCountry } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { useDashboard } from "./context.ts";
import { hrefOfView } from "./view/currentView.ts";
import { type TextFilter, withoutFilter } from "./view/view.ts";

/** The filters in use, each with a way to remove it. */
export function FilterBar() {
  const { view } = useDashboard();
  const { dashboard } = t();
  if (view.filters.length === 0) return null;
  return (
    <ul class="filters" aria-label={dashboard.filters}>
      {view.filters.map((filter, index) => (
        <li key={JSON.stringify(filter)}>
          <a class="filter" href={hrefOfView(withoutFilter(view, index))} data-keep-scroll>
            <span>
              {nameOf(filter)} {dashboard.operators[filter.op as keyof typeof dashboard.operators] ?? filter.op}{" "}
              <b>{filter.field === "country" ? formatCountry(filter.value) : filter.value}</b>
            </span>
            <span aria-hidden="true">×</span>
            <span class="said">{dashboard.removeFilter}</span>
          </a>
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
  );
}

/** The field in the language on screen; properties and fields of the address's own have their names. */
function nameOf({ field }: TextFilter): string {
  const { fields } = t();
  return fields[field as keyof typeof fields] ?? field.replace(/^properties\./, "");
}
