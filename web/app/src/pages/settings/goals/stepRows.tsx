import { useId } from "preact/hooks";
import { formatCount } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { emptyStep, moved, type OwnStep } from "./ownGoals.ts";
import { unsentName } from "./unsentNames.ts";
import type { KnownNames } from "./useKnownNames.ts";

type StepRowsProps = {
  readonly steps: readonly OwnStep[];
  readonly most: number;
  readonly known: KnownNames;
  /** What a row of an event has besides its name. */
  readonly extra: "revenue" | "property";
  readonly onChange: (steps: readonly OwnStep[]) => void;
};

/** Rows of pages and events, with the known ones to choose from. They are moved and removed by buttons. */
export function StepRows({ steps, most, known, extra, onChange }: StepRowsProps) {
  const { ownGoals: texts } = allTexts();
  const id = useId();
  const change = (index: number, step: OwnStep) => onChange(steps.map((row, at) => (at === index ? step : row)));
  return (
    <>
      {(["page", "event"] as const).map((kind) => (
        <datalist key={kind} id={`${id}-${kind}`}>
          {known[kind]?.map(({ name, count }) => (
            <option key={name} value={name}>
              {texts.times(formatCount(count))}
            </option>
          ))}
        </datalist>
      ))}
      <ol class="step-rows">
        {steps.map((step, index) => (
          <li key={`${id}-${index}`}>
            <StepRow
              step={step}
              number={index + 1}
              isLast={index === steps.length - 1}
              listId={`${id}-${step.kind}`}
              known={known}
              extra={extra}
              onChange={(changed) => change(index, changed)}
              onMove={(by) => onChange(moved(steps, index, by))}
              onRemove={() => onChange(steps.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ol>
      {steps.length < most && (
        <div>
          <button type="button" class="button" onClick={() => onChange([...steps, emptyStep])}>
            {extra === "property" ? texts.addStep : texts.addGoal}
          </button>
        </div>
      )}
    </>
  );
}

type StepRowProps = {
  readonly step: OwnStep;
  readonly number: number;
  readonly isLast: boolean;
  readonly listId: string;
  readonly known: KnownNames;
  readonly extra: "revenue" | "property";
  readonly onChange: (step: OwnStep) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
};

function StepRow({ step, number, isLast, listId, known, extra, onChange, onMove, onRemove }: StepRowProps) {
  const { ownGoals: texts, more } = allTexts();
  const unsent = unsentName(step.value, known[step.kind]);
  return (
    <>
      <div class="step-row">
        <select
          class="input"
          aria-label={more.kindOf(number)}
          value={step.kind}
          onChange={({ currentTarget }) =>
            onChange({ ...step, kind: currentTarget.value === "event" ? "event" : "page" })
          }
        >
          <option value="page">{more.page}</option>
          <option value="event">{more.event}</option>
        </select>
        <input
          class="input"
          aria-label={more.valueOf(number)}
          placeholder={step.kind === "page" ? "/pricing" : "signed_up"}
          list={listId}
          autoComplete="off"
          maxLength={256}
          value={step.value}
          onInput={({ currentTarget }) => onChange({ ...step, value: currentTarget.value })}
        />
        <span class="step-tools">
          <button
            type="button"
            class="button"
            disabled={number === 1}
            aria-label={texts.up(number)}
            onClick={() => onMove(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            class="button"
            disabled={isLast}
            aria-label={texts.down(number)}
            onClick={() => onMove(1)}
          >
            ↓
          </button>
          <button type="button" class="button" onClick={onRemove}>
            {more.remove}
            <span class="said"> {number}</span>
          </button>
        </span>
      </div>
      {step.kind === "event" &&
        (extra === "property" ? (
          <Property {...{ step, number, onChange }} />
        ) : (
          <Revenue {...{ step, number, onChange }} />
        ))}
      <p class="step-warning" role="status">
        {unsent !== undefined && (
          <>
            {step.kind === "event" ? texts.unsentEvent(unsent.name) : texts.unsentPage(unsent.name)}
            {unsent.meant !== undefined && (
              <button
                type="button"
                class="button button-plain"
                onClick={() => onChange({ ...step, value: unsent.meant ?? step.value })}
              >
                {texts.didYouMean(unsent.meant)}
              </button>
            )}
          </>
        )}
      </p>
    </>
  );
}

type ExtraProps = Pick<StepRowProps, "step" | "number" | "onChange">;

function Property({ step, number, onChange }: ExtraProps) {
  const { ownGoals: texts } = allTexts();
  const property = { name: "", value: "", ...step.property };
  return (
    <div class="step-extra">
      <Extra
        label={texts.propertyName}
        number={number}
        placeholder="plan"
        value={property.name}
        onInput={(name) => onChange({ ...step, property: { ...property, name } })}
      />
      <Extra
        label={texts.propertyValue}
        number={number}
        placeholder="pro"
        value={property.value}
        onInput={(value) => onChange({ ...step, property: { ...property, value } })}
      />
    </div>
  );
}

function Revenue({ step, number, onChange }: ExtraProps) {
  const { more } = allTexts();
  const revenue = { property: "", ...step.revenue };
  return (
    <div class="step-extra">
      <Extra
        label={more.amountProperty}
        number={number}
        placeholder="amount"
        value={revenue.property}
        onInput={(property) => onChange({ ...step, revenue: { ...revenue, property } })}
      />
      <Extra
        label={more.currencyProperty}
        number={number}
        placeholder="currency"
        value={revenue.currencyProperty ?? ""}
        onInput={(currencyProperty) => onChange({ ...step, revenue: { ...revenue, currencyProperty } })}
      />
    </div>
  );
}

type ExtraFieldProps = {
  readonly label: string;
  readonly number: number;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
};

function Extra({ label, number, placeholder, value, onInput }: ExtraFieldProps) {
  return (
    <label>
      {label}
      <span class="said"> {number}</span>
      <input
        class="input"
        placeholder={placeholder}
        maxLength={256}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
