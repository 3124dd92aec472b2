import { expect, test } from "vitest";
import { sharedNote } from "../../web/app/src/pages/dashboard/sharedNote.ts";
import { texts as de } from "../../web/app/src/texts/de.ts";
import { texts as en } from "../../web/app/src/texts/en.ts";

test("the time of a funnel's step is that of visitors who took it, not of those who did not", () => {
  expect(en.more.stepTaken("add_to_cart", "297", "2 s", "754", "71.7%")).toBe(
    "add_to_cart: 297 went on, after 2 s at the median; 754 did not (71.7%).",
  );
  expect(de.more.stepTaken("add_to_cart", "297", "2 s", "754", "71,7 %")).toBe(
    "add_to_cart: 297 gingen weiter, im Median nach 2 s; 754 nicht (71,7 %).",
  );
  expect(en.more.stepTaken("buy", "0", undefined, "3", "100%")).toBe("buy: 0 went on; 3 did not (100%).");
});

test("a private website is not called public, and nothing is said before it is known", () => {
  const own = { kind: "loaded", websites: [{ id: "a", publicAccess: false }] } as const;
  expect(sharedNote("a", true, own, en)).toBe("Private: only people of your organization see this.");
  expect(sharedNote("a", true, { kind: "loaded", websites: [{ id: "a", publicAccess: true }] }, en)).toBe(
    en.shared.text,
  );
  // Members of other organizations see public websites only.
  expect(sharedNote("b", true, own, de)).toBe(de.shared.text);
  expect(sharedNote("a", false, { kind: "loading" }, de)).toBe(de.shared.text);
  expect(sharedNote("a", true, { kind: "loading" }, de)).toBeUndefined();
});
