import { region } from "../../../../texts/texts.ts";

/** For larger amounts decimals say nothing. */
const largeAmount = 1_000;

/** An amount with the event's currency, such as EUR. A text that is not a currency is written behind the amount. */
export function formatMoney(amount: number, currency: string): string {
  const digits = Math.abs(amount) >= largeAmount ? { maximumFractionDigits: 0 } : {};
  const isCurrency = /^[A-Z]{3}$/.test(currency);
  if (isCurrency) return new Intl.NumberFormat(region.value, { style: "currency", currency, ...digits }).format(amount);
  const number = new Intl.NumberFormat(region.value, { maximumFractionDigits: 2, ...digits }).format(amount);
  return `${number} ${currency}`.trim();
}
