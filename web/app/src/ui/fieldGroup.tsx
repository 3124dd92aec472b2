import type { ComponentChildren } from "preact";

type FieldGroupProps = { readonly label: string; readonly hint?: string; readonly children: ComponentChildren };

/** Fields that belong to one question. */
export function FieldGroup({ label, hint, children }: FieldGroupProps) {
  return (
    <fieldset class="field-group">
      <legend>{label}</legend>
      {hint !== undefined && <p class="field-hint">{hint}</p>}
      {children}
    </fieldset>
  );
}
