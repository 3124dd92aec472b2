import type { Texts } from "../../texts/texts.ts";

/** The name of a filter field in the current language. Properties and the address's own fields keep their names. */
export function fieldName(field: string, { fields }: Texts): string {
  const names: Readonly<Record<string, string>> = fields;
  return (Object.hasOwn(names, field) ? names[field] : undefined) ?? field.replace(/^properties\./, "");
}
