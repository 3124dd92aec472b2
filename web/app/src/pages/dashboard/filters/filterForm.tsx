import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { t } from "../../../texts/texts.ts";
import { valueName } from "../../../texts/valueName.ts";
import { Combobox } from "../../../ui/combobox.tsx";
import { useDashboard } from "../context.ts";
import { fieldName } from "../fieldName.ts";
import type { ViewFilter } from "../view/filter.ts";
import {
  choiceOf,
  type FilterChoice,
  filterOf,
  isEmptyOperator,
  operatorChoices,
  takesSeveral,
} from "./filterChoice.ts";
import { type FilterField, filterFields } from "./filterFields.ts";
import { matchingValues } from "./matchingValues.ts";
import { useKnownValues } from "./useKnownValues.ts";

const mostShown = 50;

type FilterFormProps = {
  /** The filter that is changed; undefined for a new one. */
  readonly filter: ViewFilter | undefined;
  readonly isSearched: boolean;
  readonly onApply: (filter: ViewFilter) => void;
  readonly onCancel: () => void;
};

/** Field, operator and values of one filter. */
export function FilterForm({ filter, isSearched, onApply, onCancel }: FilterFormProps) {
  const { view, isMember } = useDashboard();
  const texts = t();
  const { dashboard, filterForm } = texts;
  const id = useId();
  const choice = useSignal<FilterChoice>(
    filter === undefined ? { field: "path", op: "eq", values: [] } : choiceOf(filter),
  );
  const text = useSignal("");
  const { field, op, values } = choice.value;
  const fields = filterFields.filter(({ isPrivate }) => isMember || isPrivate !== true);
  const known: FilterField | undefined = fields.find((one) => one.field === field);
  const others = view.filters.filter((one) => one !== filter);
  const { values: found, isLoading } = useKnownValues(known, text.value, others);
  const nameOf = (value: string) => (takesSeveral(op) ? valueName(field, value, texts) : value);
  // A typed text counts without a further Enter.
  const typed = text.value.trim();
  const complete = filterOf(typed === "" ? choice.value : withTyped(choice.value, typed));
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete !== undefined) onApply(complete);
      }}
    >
      <div class="filter-parts">
        <div class="field">
          <label for={`${id}-field`}>{filterForm.field}</label>
          <select
            id={`${id}-field`}
            class="input"
            value={field}
            onChange={({ currentTarget }) => {
              choice.value = { ...choice.value, field: currentTarget.value, values: [] };
              text.value = "";
            }}
          >
            {known === undefined && <option value={field}>{fieldName(field, texts)}</option>}
            {fields.map((one) => (
              <option key={one.field} value={one.field}>
                {texts.fields[one.field]}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={`${id}-operator`}>{filterForm.operator}</label>
          <select
            id={`${id}-operator`}
            class="input"
            value={op}
            onChange={({ currentTarget }) => {
              const chosen = operatorChoices.find((name) => name === currentTarget.value) ?? "eq";
              choice.value = {
                ...choice.value,
                op: chosen,
                values: takesSeveral(chosen) ? values : values.slice(0, 1),
              };
            }}
          >
            {operatorChoices.map((name) => (
              <option key={name} value={name}>
                {dashboard.operators[name]}
              </option>
            ))}
          </select>
        </div>
      </div>
      {!isEmptyOperator(op) && (
        <Combobox
          label={takesSeveral(op) ? filterForm.values : filterForm.value}
          chosen={values.map((value) => ({ value, name: nameOf(value) }))}
          options={matchingValues(found, text.value, values, mostShown)}
          text={text.value}
          isMultiple={takesSeveral(op)}
          isLoading={isLoading}
          autoFocus={isSearched}
          texts={{
            ...filterForm.choose,
            remove: (name) => `${dashboard.removeFilter}: ${name}`,
            loading: texts.app.loading,
          }}
          onText={(next) => {
            text.value = next;
          }}
          onChange={(next) => {
            choice.value = { ...choice.value, values: next };
          }}
        />
      )}
      {op === "matches" && <p class="field-hint">{filterForm.pattern}</p>}
      <div class="form-foot">
        <button type="submit" class="button button-main" aria-disabled={complete === undefined} onMouseDown={keepFocus}>
          {filter === undefined ? filterForm.add : filterForm.change}
        </button>
        <button type="button" class="button" onMouseDown={keepFocus} onClick={onCancel}>
          {texts.form.cancel}
        </button>
      </div>
    </form>
  );
}

/** The list of values closes when the field loses the focus, and the button would move away before the click. */
function keepFocus(event: Event): void {
  event.preventDefault();
}

function withTyped(choice: FilterChoice, typed: string): FilterChoice {
  const values = takesSeveral(choice.op) ? [...new Set([...choice.values, typed])] : [typed];
  return { ...choice, values };
}
