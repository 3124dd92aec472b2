import { useSignal } from "@preact/signals";
import { t } from "../../../texts/texts.ts";
import { valueName } from "../../../texts/valueName.ts";
import { Combobox } from "../../../ui/combobox.tsx";
import { useDashboard } from "../context.ts";
import type { ViewFilter } from "../view/filter.ts";
import { choiceOf, type FilterChoice, filterOf, isEmptyOperator, takesSeveral } from "./filterChoice.ts";
import { FieldSelect, isListed, OperatorSelect } from "./filterSelects.tsx";
import { goalField, goalFilterOf } from "./goalFilter.ts";
import { GoalValues, stepsOf } from "./goalValues.tsx";
import { matchingValues } from "./matchingValues.ts";
import { propertyField, propertyKeyOf } from "./propertyField.ts";
import { PropertyKey } from "./propertyKey.tsx";
import { useKnownValues } from "./useKnownValues.ts";
import { valueSourceOf } from "./valueSource.ts";

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
  const { view, isMember, types } = useDashboard();
  const texts = t();
  const { dashboard, filterForm } = texts;
  const choice = useSignal<FilterChoice>(
    filter === undefined ? { field: "path", op: "eq", values: [] } : choiceOf(filter),
  );
  const text = useSignal("");
  const keyText = useSignal("");
  const { field, op, values } = choice.value;
  const isKnown = isListed(field, { isMember, types });
  const key = isKnown ? propertyKeyOf(field) : undefined;
  const others = view.filters.filter((one) => one !== filter);
  const { values: found, isLoading } = useKnownValues(isKnown ? valueSourceOf(field) : undefined, text.value, others);
  const nameOf = (value: string) => (takesSeveral(op) ? valueName(field, value, texts) : value);
  const complete = completeFilter(choice.value, text.value.trim(), keyText.value.trim());
  const change = (next: Partial<FilterChoice>): void => {
    choice.value = { ...choice.value, ...next };
  };
  const onText = (next: string): void => {
    text.value = next;
  };
  const onValues = (next: readonly string[]): void => change({ values: next });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete !== undefined) onApply(complete);
      }}
    >
      <div class="filter-parts">
        <FieldSelect
          field={field}
          onChange={(next) => {
            change({ field: next, values: [], ...(next === goalField ? { op: "eq" } : {}) });
            text.value = "";
            keyText.value = "";
          }}
        />
        {key !== undefined && (
          <PropertyKey
            chosen={key}
            text={keyText.value}
            others={others}
            onText={(next) => {
              keyText.value = next;
            }}
            onChange={(next) => {
              change({ field: propertyField(next), values: [] });
              keyText.value = "";
            }}
          />
        )}
        <OperatorSelect
          field={field}
          op={op}
          onChange={(next) => change({ op: next, values: takesSeveral(next) ? values : values.slice(0, 1) })}
        />
      </div>
      {field === goalField ? (
        <GoalValues chosen={values} text={text.value} autoFocus={isSearched} onText={onText} onChange={onValues} />
      ) : (
        !isEmptyOperator(op) && (
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
            onText={onText}
            onChange={onValues}
          />
        )
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

/** The filter of a choice. A typed text counts without a further Enter, but for goals, which are only chosen. */
function completeFilter(choice: FilterChoice, typed: string, typedKey: string): ViewFilter | undefined {
  const { field, op, values } = choice;
  if (field === goalField) return typed === "" ? goalFilterOf(stepsOf(values)) : undefined;
  const named = propertyKeyOf(field) === "" ? { ...choice, field: propertyField(typedKey) } : choice;
  if (typed === "") return filterOf(named);
  return filterOf({ ...named, values: takesSeveral(op) ? [...new Set([...values, typed])] : [typed] });
}
