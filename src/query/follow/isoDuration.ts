/** Weeks, days, hours, minutes and seconds (ISO 8601-1, 5.5.2); months and years have no fixed length. */
const pattern = /^P(?=\d|T\d)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?$/;

const unitsMs = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000] as const;

/** A duration such as PT30M or P7D in ms; a day has 24 hours. Undefined for any other text. */
export function parseIsoDuration(text: string): number | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  return unitsMs.reduce((sum, unitMs, index) => sum + Number(match[index + 1] ?? 0) * unitMs, 0);
}
