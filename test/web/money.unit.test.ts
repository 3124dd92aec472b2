import { expect, test } from "vitest";
import { findField } from "../../src/query/sql/fields.ts";
import { formatMoney } from "../../web/app/src/pages/dashboard/more/goals/formatMoney.ts";
import { filledSteps, selectsEvents } from "../../web/app/src/pages/dashboard/more/goals/steps.ts";
import { texts } from "../../web/app/src/texts/en.ts";

test("amounts have the form of their currency, and what is no currency is written behind them", () => {
  expect(formatMoney(12.5, "EUR")).toBe("€12.50");
  expect(formatMoney(1_234.56, "EUR")).toBe("€1,235");
  expect(formatMoney(-1_234.56, "JPY")).toBe("-¥1,235");
  expect(formatMoney(0.125, "POINTS")).toBe("0.13 POINTS");
  expect(formatMoney(3, "")).toBe("3");
});

test("only goals of events have revenue, and only with a property", () => {
  const revenue = { property: " amount ", currencyProperty: " " };
  expect(
    filledSteps([
      { kind: "event", value: " order ", revenue },
      { kind: "page", value: "/thanks", revenue },
      { kind: "event", value: "signup", revenue: { property: " ", currencyProperty: "currency" } },
      { kind: "event", value: " " },
    ]),
  ).toEqual([
    { kind: "event", value: "order", revenue: { property: "amount" } },
    { kind: "page", value: "/thanks" },
    { kind: "event", value: "signup" },
  ]);
});

test("the app knows which filters select events, as the service does", () => {
  for (const field of [...Object.keys(texts.fields), "properties.plan"]) {
    const isOfEvents = findField("events", field)?.isOfVisit !== true;
    expect([field, selectsEvents([{ field }])]).toEqual([field, isOfEvents]);
  }
});
