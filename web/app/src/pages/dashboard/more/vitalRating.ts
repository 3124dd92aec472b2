import { formatDecimal } from "../../../texts/format.ts";
import { formatMs } from "../../../texts/formatTime.ts";

/** The figures in their order, with the bounds of good and poor that web.dev/vitals gives for the 75th percentile. */
const vitals = {
  LCP: { good: 2_500, poor: 4_000 },
  INP: { good: 200, poor: 500 },
  CLS: { good: 0.1, poor: 0.25 },
  FCP: { good: 1_800, poor: 3_000 },
  TTFB: { good: 800, poor: 1_800 },
} as const;

export type Vital = keyof typeof vitals;

export const vitalNames = Object.keys(vitals) as readonly Vital[];

export function ratingOf(name: Vital, value: number): "good" | "medium" | "poor" {
  const { good, poor } = vitals[name];
  return value <= good ? "good" : value <= poor ? "medium" : "poor";
}

export function formatVital(name: Vital, value: number): string {
  return name === "CLS" ? formatDecimal(value) : formatMs(value);
}
