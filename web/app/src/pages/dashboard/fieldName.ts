import type { Texts } from "../../texts/texts.ts";

/** A field of filters in the language on screen; properties and fields of the address's own have their names. */
export function fieldName(field: string, { fields }: Texts): string {
  const names: Readonly<Record<string, string>> = fields;
  return (Object.hasOwn(names, field) ? names[field] : undefined) ?? field.replace(/^properties\./, "");
}
