import { type ErrorDetail, validationError } from "../errors/errors.ts";
import type { WebsiteTags } from "../gen/lookout/v1/websites_pb.ts";
import { isStorableText, unstorableText } from "../text/isStorableText.ts";

/** The tags of a request without spaces around them, each once whatever its letter case. Throws VALIDATION_ERROR that names the field. */
export function readTags({ names }: WebsiteTags): string[] {
  const details = names.flatMap((name, index) => wrongTag(`tags.names[${index}]`, name));
  if (details.length > 0) throw validationError(details);
  const found = new Map<string, string>();
  for (const name of names.map((given) => given.trim()))
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), name);
  return [...found.values()];
}

function wrongTag(field: string, name: string): ErrorDetail[] {
  if (name.trim() === "") return [{ field, message: "must not be blank" }];
  return isStorableText(name) ? [] : [{ field, message: unstorableText }];
}
