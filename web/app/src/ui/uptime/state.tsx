import { type Texts, t } from "../../texts/texts.ts";

/** A state of a monitor, a check, a day or an incident. */
export type StateName = keyof Texts["uptime"]["states"];

/** The state with this name; a state that a later version adds is unknown. */
export function stateOf(name: string): StateName {
  return Object.hasOwn(t().uptime.states, name) ? (name as StateName) : "unknown";
}

/** A state as a coloured sign and its name. */
export function State({ name }: { readonly name: string }) {
  const state = stateOf(name);
  return (
    <span class="state" data-state={state}>
      <span class="state-sign" aria-hidden="true" />
      {t().uptime.states[state]}
    </span>
  );
}
