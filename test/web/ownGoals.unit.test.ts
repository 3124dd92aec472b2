import { describe, expect, test } from "vitest";
import { messageOf } from "../../web/app/src/pages/dashboard/more/goals/steps.ts";
import { filled, moved, type OwnStep, stepMessage, stepName } from "../../web/app/src/pages/settings/goals/ownGoals.ts";
import { mostNames, unsentName } from "../../web/app/src/pages/settings/goals/unsentNames.ts";

const pro: OwnStep = { kind: "event", value: "signed_up", property: { name: "plan", value: "pro" } };

describe("steps of a form", () => {
  test("are those that are filled in, and pages have neither revenue nor a property", () => {
    expect(
      filled([
        { kind: "page", value: " /a ", property: { name: "plan", value: "pro" }, revenue: { property: "amount" } },
        { kind: "event", value: "" },
        {
          kind: "event",
          value: "buy",
          property: { name: "plan", value: " " },
          revenue: { property: " ", currencyProperty: "EUR" },
        },
        pro,
      ]),
    ).toEqual([{ kind: "page", value: "/a" }, { kind: "event", value: "buy" }, pro]);
  });

  test("change places with their neighbour, and not beyond the ends", () => {
    expect(moved(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b", "c"], 1, 1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
    expect(moved(["a", "b"], 1, 1)).toEqual(["a", "b"]);
  });

  test("become steps of a call: all pages that begin so, and events with a property", () => {
    expect(stepMessage({ kind: "page", value: "/docs/*" })).toMatchObject({
      action: { case: "page", value: { path: "/docs/", op: "starts_with" } },
    });
    expect(stepMessage(pro)).toMatchObject({
      name: "signed_up (plan: pro)",
      action: { case: "event", value: "signed_up" },
      filters: [{ field: "properties.plan", op: "eq", value: { kind: { case: "stringValue", value: "pro" } } }],
    });
    expect(stepName({ kind: "page", value: "/a" })).toBe("/a");
  });
});

test("the overview asks for the same steps as the settings", () => {
  const steps = [{ kind: "page" as const, value: "/docs/*" }, pro];
  const asked = steps.map(stepMessage).map(({ name, action, filters = [] }) => ({ name, action, filters }));
  expect(steps.map(messageOf).map(({ name, action, filters = [] }) => ({ name, action, filters }))).toEqual(asked);
});

describe("a name in a form", () => {
  const known = [
    { name: "signed_up", count: 9 },
    { name: "signed_in", count: 20 },
    { name: "/docs/first", count: 3 },
  ];

  test("that was never sent has the nearest one that was", () => {
    expect(unsentName("signd_up", known)).toEqual({ name: "signd_up", meant: "signed_up" });
    expect(unsentName("Signed_In", known)).toEqual({ name: "Signed_In", meant: "signed_in" });
    expect(unsentName("purchase", known)).toEqual({ name: "purchase", meant: undefined });
  });

  test("that was sent, is empty, or of which nothing is known needs no warning", () => {
    expect(unsentName(" signed_up ", known)).toBeUndefined();
    expect(unsentName("", known)).toBeUndefined();
    expect(unsentName("signd_up", undefined)).toBeUndefined();
    const many = Array.from({ length: mostNames }, (_, index) => ({ name: `e${index}`, count: 1 }));
    expect(unsentName("signd_up", many)).toBeUndefined();
  });

  test("that ends in * was sent if any page begins so", () => {
    expect(unsentName("/docs/*", known)).toBeUndefined();
    expect(unsentName("/dogs/*", known)).toMatchObject({ name: "/dogs/*" });
  });
});
