import { rounded } from "../../rounded.ts";

/** A part of a whole in percent; undefined if the whole is 0: a share of nobody is no figure. */
export function percent(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : rounded((100 * part) / whole);
}
