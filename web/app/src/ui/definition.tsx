import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { QueryTypeName } from "../../../../packages/client-js/src/query.ts";
import { definitionOf } from "../api/catalogue.ts";

type DefinitionProps = {
  /** The query type to describe, or whose field is described. */
  readonly type: QueryTypeName;
  readonly field?: string;
  readonly children: ComponentChildren;
};

/**
 * A term that shows its meaning on hover and focus, in the words of the service's catalogue, which are English. Escape hides it
 * (WCAG 2.2, 1.4.13).
 */
export function Definition({ type, field, children }: DefinitionProps) {
  const id = useId();
  const text = definitionOf(type, field);
  if (text === undefined) return <span class="definition-plain">{children}</span>;
  return (
    <span class="definition">
      <button
        type="button"
        class="definition-term"
        aria-describedby={id}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      >
        {children}
      </button>
      <span role="tooltip" id={id} class="definition-text" lang="en">
        {text}
      </span>
    </span>
  );
}
