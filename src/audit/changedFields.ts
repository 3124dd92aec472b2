import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";

/** The fields that differ, before and after; undefined when none does. */
export function changedFields(
  before: JsonObject,
  after: JsonObject,
): { readonly before: JsonObject; readonly after: JsonObject } | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  if (names.length === 0) return undefined;
  const pick = (object: JsonObject) => Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
