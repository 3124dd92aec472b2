import { rounded } from "./rounded.ts";

/** A part of a whole in percent; undefined if the whole is 0, since the share is not defined then. */
export function percent(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : rounded((100 * part) / whole);
}
