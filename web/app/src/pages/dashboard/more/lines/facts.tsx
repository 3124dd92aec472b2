import type { ComponentChildren } from "preact";
import type { Fact } from "./fact.ts";

type FactsProps = {
  readonly facts: readonly Fact[];
  /** How the first figure has changed. */
  readonly change?: ComponentChildren;
};

/** What a line says while it is closed. */
export function Facts({ facts, change }: FactsProps) {
  return facts.map(({ key, before, figure, after, value }, index) => (
    <span class="line-fact" key={key} data-fact={key} data-value={value}>
      {before !== undefined && `${before} `}
      <b>{figure}</b>
      {after !== undefined && ` ${after}`}
      {index === 0 && change !== undefined && <> {change}</>}
    </span>
  ));
}
