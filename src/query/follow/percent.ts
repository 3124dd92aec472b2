import { rounded } from "../../rounded.ts";

/** A part of a whole in percent; 0 if the whole is 0. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded((100 * part) / whole);
}
