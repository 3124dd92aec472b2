import type { ComponentChildren } from "preact";

type FactsProps = { readonly facts: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[] };

/** Names and values below each other. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl class="fact-list">
      {facts.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
