import { formatInstant } from "../texts/formatTime.ts";

/** An instant (ISO 8601) in the device's time zone. */
export function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{formatInstant(at, deviceZone())}</time>;
}

/** The IANA time zone of the device. */
export function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
