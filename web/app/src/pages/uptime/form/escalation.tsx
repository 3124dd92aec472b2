import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { ListNotificationChannelsResponse } from "../../../../../../packages/client-js/src/gen/lookout/v1/notification_channels_pb.ts";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { CallState } from "../../../api/useCall.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";

/** Channels, and how long after the start of an incident they are notified. */
export type Step = { readonly channelIds: readonly string[]; readonly afterMinutes: number };

const mostSteps = 5;

/** The steps of a monitor, none of a new one. */
export function stepsOf(monitor: Monitor | undefined): readonly Step[] {
  return monitor?.escalation.map(({ channelIds, afterMinutes }) => ({ channelIds, afterMinutes })) ?? [];
}

type EscalationProps = {
  readonly steps: Signal<readonly Step[]>;
  readonly channels: CallState<ListNotificationChannelsResponse>;
  /** Opens the dialog that makes a channel, so that the form keeps its input. */
  readonly onAddChannel: () => void;
};

/** The steps with one more channel, which the first of them notifies. */
export function withChannel(steps: readonly Step[], channelId: string): readonly Step[] {
  const [first = { channelIds: [], afterMinutes: 0 }, ...others] = steps;
  return [{ ...first, channelIds: [...first.channelIds, channelId] }, ...others];
}

/** Who is notified, and when. */
export function Escalation({ steps, channels, onAddChannel }: EscalationProps) {
  const { fields, newChannel } = allTexts().uptime;
  return (
    <fieldset class="choices">
      <legend>{fields.notify}</legend>
      <Loaded state={channels} height="3rem">
        {({ channels: known }) =>
          known.length === 0 ? (
            <p class="nobody">
              {fields.noChannels}{" "}
              <button type="button" class="button" onClick={onAddChannel}>
                {newChannel}
              </button>
            </p>
          ) : (
            <>
              {steps.value.some(({ channelIds }) => channelIds.length > 0) ? (
                <p class="field-hint">{fields.notifyHint}</p>
              ) : (
                <p class="nobody">{fields.nobody}</p>
              )}
              {steps.value.map((step, index) => (
                <StepRow key={index} index={index} step={step} steps={steps} known={known} />
              ))}
              <div class="step-tools">
                {steps.value.length < mostSteps && (
                  <button
                    type="button"
                    class="button"
                    onClick={() => {
                      const last = steps.value.at(-1);
                      const afterMinutes = last === undefined ? 0 : last.afterMinutes + 15;
                      steps.value = [
                        ...steps.value,
                        { channelIds: known.length === 1 ? [known[0]?.id ?? ""] : [], afterMinutes },
                      ];
                    }}
                  >
                    {fields.addStep}
                  </button>
                )}
                <button type="button" class="button button-plain" onClick={onAddChannel}>
                  {newChannel}
                </button>
              </div>
            </>
          )
        }
      </Loaded>
    </fieldset>
  );
}

type StepRowProps = {
  readonly index: number;
  readonly step: Step;
  readonly steps: Signal<readonly Step[]>;
  readonly known: ListNotificationChannelsResponse["channels"];
};

function StepRow({ index, step, steps, known }: StepRowProps) {
  const { fields, delete: deleteText } = allTexts().uptime;
  const id = useId();
  const change = (more: Partial<Step>): void => {
    steps.value = steps.value.map((entry, at) => (at === index ? { ...entry, ...more } : entry));
  };
  return (
    <fieldset class="step">
      <legend class="said">{fields.step(index + 1)}</legend>
      <label class="step-time" for={id}>
        {fields.afterMinutes}
        <input
          id={id}
          class="input"
          type="number"
          min={0}
          max={10_080}
          required
          value={step.afterMinutes}
          onInput={({ currentTarget }) => change({ afterMinutes: currentTarget.valueAsNumber || 0 })}
        />
      </label>
      <div class="step-channels">
        {known.map((channel) => (
          <label class="checkbox" key={channel.id}>
            <input
              type="checkbox"
              checked={step.channelIds.includes(channel.id)}
              onChange={({ currentTarget }) =>
                change({
                  channelIds: currentTarget.checked
                    ? [...step.channelIds, channel.id]
                    : step.channelIds.filter((other) => other !== channel.id),
                })
              }
            />
            <span>{channel.name}</span>
          </label>
        ))}
      </div>
      <button
        type="button"
        class="button"
        onClick={() => {
          steps.value = steps.value.filter((_, at) => at !== index);
        }}
      >
        {deleteText}
        <span class="said"> {fields.step(index + 1)}</span>
      </button>
    </fieldset>
  );
}
