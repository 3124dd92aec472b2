import { useSignal } from "@preact/signals";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { uptime } from "../services.ts";
import { changeEach, type Unchanged } from "./changeEach.ts";
import { unchangedReason } from "./unchangedReason.ts";

type ChosenBarProps = {
  readonly chosen: readonly Monitor[];
  /** Chooses these instead. */
  readonly onChoose: (ids: readonly string[]) => void;
  readonly onChange: () => void;
};

type Outcome = { readonly unchanged: readonly Unchanged<Monitor>[]; readonly total: number };

/** What can be done with the chosen monitors at once, and with which of them it could not be done. */
export function ChosenBar({ chosen, onChoose, onChange }: ChosenBarProps) {
  const { uptime: texts } = allTexts();
  const outcome = useSignal<Outcome | undefined>(undefined);
  const act = async (monitors: readonly Monitor[], change: (id: string) => Promise<unknown>): Promise<void> => {
    const unchanged = await changeEach(monitors, ({ id }) => change(id));
    outcome.value = { unchanged, total: monitors.length };
    // What failed stays chosen, so that it can be tried again.
    onChoose(unchanged.map(({ object }) => object.id));
    onChange();
  };
  const active = chosen.filter(({ status }) => status === "active");
  const paused = chosen.filter(({ status }) => status === "paused");
  const namesOf = (monitors: readonly Monitor[]): string => monitors.map(({ name }) => name).join(", ");
  const { unchanged = [], total = 0 } = outcome.value ?? {};
  return (
    <div class="chosen-bar" data-chosen={chosen.length}>
      <p role="status">{chosen.length === 0 ? "" : texts.chosen(chosen.length)}</p>
      {active.length > 0 && (
        <ConfirmButton
          label={texts.pauseMany(active.length)}
          title={texts.pauseManyTitle(active.length)}
          text={texts.pauseManyText(namesOf(active))}
          onConfirm={() => act(active, (id) => uptime.pauseMonitor({ id }))}
        />
      )}
      {paused.length > 0 && (
        <ConfirmButton
          label={texts.resumeMany(paused.length)}
          title={texts.resumeManyTitle(paused.length)}
          text={texts.resumeManyText(namesOf(paused))}
          onConfirm={() => act(paused, (id) => uptime.resumeMonitor({ id }))}
        />
      )}
      {chosen.length > 0 && (
        <button type="button" class="button button-plain" onClick={() => onChoose([])}>
          {texts.chooseNone}
        </button>
      )}
      {unchanged.length > 0 && (
        <div class="notice notice-bad" role="alert">
          <p>{texts.notChanged(total - unchanged.length, total)}</p>
          <ul class="notice-list">
            {unchanged.map(({ object, error }) => (
              <li key={object.id}>
                <b>{object.name}</b>: {unchangedReason(error, allTexts())}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
