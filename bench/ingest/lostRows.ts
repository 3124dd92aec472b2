/** What is wrong, in words, if requests failed or not exactly the acknowledged rows are stored. */
export function lostRows(
  what: string,
  { errors, acknowledged, stored }: { readonly errors: number; readonly acknowledged: number; readonly stored: number },
): string[] {
  return [
    ...(errors > 0 ? [`${what}: ${errors} requests failed`] : []),
    ...(acknowledged > 0 ? [] : [`${what}: no event was acknowledged`]),
    ...(stored === acknowledged ? [] : [`${what}: ${stored} rows are stored of ${acknowledged} acknowledged`]),
  ];
}
