import { formatMs } from "../../../texts/formatTime.ts";

/** How long a phase of a check took. One that a failed check did not get to, or that had nothing to do, has no time. */
export function phaseText(ms: number, status: string): string {
  return ms === 0 && status === "down" ? "–" : formatMs(ms);
}
