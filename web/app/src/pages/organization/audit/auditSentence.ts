import type { SettingsTexts } from "../../../texts/settings/en.ts";

type AuditTexts = Pick<SettingsTexts["audit"], "objects" | "deeds" | "sentence">;

/** What was done to what, in words; an action that a later version adds is named as it is. */
export function auditSentence(action: string, name: string | undefined, texts: AuditTexts): string {
  const end = action.indexOf(".");
  const object = own(texts.objects, action.slice(0, end));
  const deed = own(texts.deeds, action.slice(end + 1));
  return object === undefined || deed === undefined ? action : texts.sentence(object, name, deed);
}

type Fields = Readonly<Record<string, unknown>> | undefined;

/** What an object is called, as far as its fields say it; the newer name first. */
export function auditedName(after: Fields, before: Fields): string | undefined {
  for (const fields of [after, before])
    for (const field of ["name", "title", "email", "slug"]) {
      const value = fields?.[field];
      if (typeof value === "string" && value !== "") return value;
    }
  return undefined;
}

function own(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
