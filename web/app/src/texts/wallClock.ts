/** What the clock of a zone shows at an instant, as fields of the type datetime-local have it: 2026-03-29T14:30. */
export function wallClock(ms: number, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(ms);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((found) => found.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

/**
 * The instant at which the clock of a zone shows a time (ISO 8601). Where clocks are put back, the first of the two;
 * where they are put forward, as much after the gap as the time is after its beginning.
 */
export function instantOf(wall: string, zone: string): string {
  const asUtcMs = Date.parse(`${wall}Z`);
  const offsetAt = (ms: number): number => Date.parse(`${wallClock(ms, zone)}Z`) - Math.floor(ms / 60_000) * 60_000;
  // The offsets of the days around it: the larger one leads to the earlier instant.
  const offsets = [offsetAt(asUtcMs - 86_400_000), offsetAt(asUtcMs + 86_400_000)];
  const candidates = offsets.map((offset) => asUtcMs - offset).toSorted((one, other) => one - other);
  const exact = candidates.find((ms) => wallClock(ms, zone) === wall.slice(0, 16));
  return new Date(exact ?? candidates.at(-1) ?? asUtcMs).toISOString();
}
