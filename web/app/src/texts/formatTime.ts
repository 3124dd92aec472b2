import { formatCount, formatDuration } from "./format.ts";
import { region } from "./texts.ts";

/** An instant (ISO 8601 or ms) as the clock of a zone shows it. */
export function formatInstant(
  instant: string | number,
  zone: string,
  { withSeconds = false }: { readonly withSeconds?: boolean } = {},
): string {
  return new Intl.DateTimeFormat(region.value, {
    timeZone: zone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    ...(withSeconds ? { second: "2-digit" } : {}),
    hourCycle: "h23",
  }).format(new Date(instant));
}

/** The time of day of an instant (ISO 8601 or ms) in a zone: 14:03:22. */
export function formatClock(instant: string | number, zone: string, until: "minutes" | "seconds" = "seconds"): string {
  return new Intl.DateTimeFormat(region.value, {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    ...(until === "seconds" ? { second: "2-digit" } : {}),
    hourCycle: "h23",
  }).format(new Date(instant));
}

/** A short time: 87 ms or 1.4 s. */
export function formatMs(ms: number): string {
  if (ms < 1_000) return `${formatCount(Math.round(ms))} ms`;
  return `${new Intl.NumberFormat(region.value, { maximumFractionDigits: 1 }).format(ms / 1_000)} s`;
}

/** A longer time: 45 s, 2 min 5 s, 1 h 3 min or 3 d 4 h. Days have the language's letter. */
export function formatSpan(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 48) return formatDuration(ms / 1_000);
  return `${formatCount(Math.floor(hours / 24))} ${letterOf("day")} ${hours % 24} h`;
}

/** How long ago or ahead something is, in its largest unit: 3 minutes ago, in 2 days. */
export function formatRelative(instant: string, nowMs: number): string {
  const seconds = (Date.parse(instant) - nowMs) / 1_000;
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least) ?? (["second", 1] as const);
  return new Intl.RelativeTimeFormat(region.value, { numeric: "auto" }).format(Math.round(seconds / length), unit);
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** Bytes as B, kB or MB, in French o, ko or Mo. */
export function formatBytes(bytes: number): string {
  // The short form of Intl for it is "byte", in English also for several.
  if (bytes < 1_000) return `${formatCount(bytes)} ${letterOf("byte")}`;
  const [unit, size] = bytes >= 1_000_000 ? (["megabyte", 1_000_000] as const) : (["kilobyte", 1_000] as const);
  return new Intl.NumberFormat(region.value, { style: "unit", unit, maximumFractionDigits: 1 }).format(bytes / size);
}

/** The shortest form of a unit in the language on screen. */
function letterOf(unit: "byte" | "day"): string {
  const parts = new Intl.NumberFormat(region.value, { style: "unit", unit, unitDisplay: "narrow" }).formatToParts(15);
  return parts.find(({ type }) => type === "unit")?.value ?? unit;
}
