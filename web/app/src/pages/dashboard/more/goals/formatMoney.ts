import { language } from "../../../../texts/texts.ts";

/** From here on the part after the point says nothing. */
const largeAmount = 1_000;

/** An amount with its currency as the event names it, such as EUR. What is no currency is written behind the amount. */
export function formatMoney(amount: number, currency: string): string {
  const digits = Math.abs(amount) >= largeAmount ? { maximumFractionDigits: 0 } : {};
  const isCurrency = /^[A-Z]{3}$/.test(currency);
  if (isCurrency)
    return new Intl.NumberFormat(language.value, { style: "currency", currency, ...digits }).format(amount);
  const number = new Intl.NumberFormat(language.value, { maximumFractionDigits: 2, ...digits }).format(amount);
  return `${number} ${currency}`.trim();
}
