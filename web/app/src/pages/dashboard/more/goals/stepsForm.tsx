import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { may } from "../../../../api/session.ts";
import { t } from "../../../../texts/texts.ts";
import { ErrorNotice } from "../../../../ui/errorNotice.tsx";
import { useSending } from "../../../../ui/useSending.ts";
import { filledSteps, type OwnGoal } from "./steps.ts";

const revenueProperties = ["property", "currencyProperty"] as const;

type StepsFormProps = {
  readonly title: string;
  readonly hint: string;
  readonly least: number;
  readonly most: number;
  readonly steps: readonly OwnGoal[];
  /** Whether to ask for the properties with an event's revenue. */
  readonly withRevenue?: boolean;
  /** Its error is shown. */
  readonly onSave: (steps: OwnGoal[]) => Promise<void>;
};

/**
 * A button that opens a dialog with rows of pages and events, for people who may change the website. Saves the rows that are
 * filled in.
 */
export function StepsForm({ title, hint, least, most, steps, withRevenue = false, onSave }: StepsFormProps) {
  const { more: texts, form } = t();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const rows = useSignal<readonly OwnGoal[]>([]);
  const { isSending, error, send, clearError } = useSending();
  const save = async (): Promise<void> => {
    await onSave(filledSteps(rows.value));
    dialog.current?.close();
  };
  const empty: OwnGoal = { kind: "page", value: "" };
  const change = (index: number, more: Partial<OwnGoal>): void => {
    rows.value = rows.value.map((row, at) => (at === index ? { ...row, ...more } : row));
  };
  if (!may("update")) return null;
  return (
    <>
      <button
        type="button"
        class="button button-plain"
        onClick={() => {
          const missing = Math.max(least, 1) - steps.length;
          rows.value = [...steps, ...Array.from({ length: Math.max(0, missing) }, () => empty)];
          clearError();
          dialog.current?.showModal();
        }}
      >
        {title}
      </button>
      <dialog ref={dialog} class="dialog" aria-labelledby={titleId}>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void send(save);
          }}
        >
          <h2 id={titleId}>{title}</h2>
          <p class="field-hint">{hint}</p>
          {rows.value.map((row, index) => (
            <div class="goal-row" key={`${titleId}-${index}`}>
              <select
                class="input"
                aria-label={texts.kindOf(index + 1)}
                value={row.kind}
                onChange={({ currentTarget }) =>
                  change(index, { kind: currentTarget.value === "event" ? "event" : "page" })
                }
              >
                <option value="page">{texts.page}</option>
                <option value="event">{texts.event}</option>
              </select>
              <input
                class="input"
                aria-label={texts.valueOf(index + 1)}
                placeholder={row.kind === "page" ? "/pricing" : "signup"}
                maxLength={256}
                value={row.value}
                onInput={({ currentTarget }) => change(index, { value: currentTarget.value })}
              />
              <button
                type="button"
                class="button"
                onClick={() => {
                  rows.value = rows.value.filter((_, at) => at !== index);
                }}
              >
                {texts.remove}
                <span class="said"> {index + 1}</span>
              </button>
              {withRevenue && row.kind === "event" && (
                <div class="goal-revenue">
                  {revenueProperties.map((name) => (
                    <label key={name}>
                      {name === "property" ? texts.amountProperty : texts.currencyProperty}
                      <input
                        class="input"
                        placeholder={name === "property" ? "amount" : "currency"}
                        maxLength={256}
                        value={row.revenue?.[name] ?? ""}
                        onInput={({ currentTarget }) =>
                          change(index, { revenue: { property: "", ...row.revenue, [name]: currentTarget.value } })
                        }
                      />
                    </label>
                  ))}
                </div>
              )}
            </div>
          ))}
          {rows.value.length < most && (
            <div>
              <button
                type="button"
                class="button"
                onClick={() => {
                  rows.value = [...rows.value, empty];
                }}
              >
                {texts.add}
              </button>
            </div>
          )}
          {error !== undefined && <ErrorNotice error={error} />}
          <div class="dialog-foot">
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              {form.cancel}
            </button>
            <button type="submit" class="button button-main" disabled={isSending}>
              {texts.save}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
