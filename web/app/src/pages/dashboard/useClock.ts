import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { localTime } from "../../figures/days.ts";
import type { Range } from "../../figures/range.ts";

const everyMs = 30_000;

/**
 * The time at which the view was opened, and a later one once the day is over, for the last 24 hours once the hour is: the range is then another
 * one.
 */
export function useClock(zone: string, range: Range): number {
  const isByHour = "preset" in range && range.preset === "last_24h";
  const partOf = (nowMs: number): string => {
    const { day, time } = localTime(zone, nowMs);
    return isByHour ? `${day} ${time.slice(0, 2)}` : day;
  };
  const opened = useSignal(Date.now());
  useEffect(() => {
    const follow = (): void => {
      const nowMs = Date.now();
      if (partOf(nowMs) !== partOf(opened.peek())) opened.value = nowMs;
    };
    follow();
    const timer = setInterval(follow, everyMs);
    return () => clearInterval(timer);
  }, [zone, isByHour]);
  return opened.value;
}
