/** The conversion rate in percent; null without visitors. */
export function rateOf(
  figures: { readonly visitors: number; readonly conversionRate: number } | undefined,
): number | null {
  return figures === undefined || figures.visitors === 0 ? null : figures.conversionRate;
}
