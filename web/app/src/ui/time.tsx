import { formatInstant } from "../texts/formatTime.ts";

/** An instant, as ISO 8601, by the clock of the device. */
export function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{formatInstant(at, deviceZone())}</time>;
}

/** The IANA time zone of the device. */
export function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
