import type { DatePreset } from "../../../../packages/client-js/src/valueSets.ts";

/** Ranges whose days the service determines. */
export const servicePresets = [
  "today",
  "yesterday",
  "last_7d",
  "last_30d",
  "last_90d",
  "this_month",
  "last_month",
  "this_year",
] as const satisfies readonly DatePreset[];

export type ServicePreset = (typeof servicePresets)[number];

/** The named ranges, in the order of the menu. */
export const presets = [
  "today",
  "yesterday",
  "last_24h",
  "last_7d",
  "last_28d",
  "last_30d",
  "last_90d",
  "last_12m",
  "this_month",
  "last_month",
  "this_year",
  "all",
] as const;

export type Preset = (typeof presets)[number];

/** The first and the last day, YYYY-MM-DD. */
export type OwnRange = { readonly from: string; readonly to: string };

export type Range = { readonly preset: Preset } | OwnRange;

export function isServicePreset(preset: Preset): preset is ServicePreset {
  return servicePresets.some((name) => name === preset);
}
