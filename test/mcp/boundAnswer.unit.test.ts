import { expect, test } from "vitest";
import { boundAnswer } from "../../src/mcp/boundAnswer.ts";

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ path: `/page/${index}`, views: index }));

test("an answer that fits stays as it is", () => {
  const answer = { answers: [{ rows: rows(3) }] };
  expect(boundAnswer(answer, 4_000, "Ask for less.")).toBe(answer);
});

test("the longest lists are cut until the answer fits, first items stay, and a note says so", () => {
  const answer = { answers: [{ rows: rows(1_000) }, { rows: rows(5) }, { rows: rows(900) }] };
  const bounded = boundAnswer(answer, 10_000, "Ask for less.");
  expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(10_000);
  expect(bounded["note"]).toContain("Ask for less.");
  const [first, second, third] = bounded["answers"] as { rows: object[] }[];
  expect(bounded["note"]).toContain(`answers[0].rows: ${first?.rows.length} of 1000`);
  expect(first?.rows[0]).toEqual({ path: "/page/0", views: 0 });
  expect(second?.rows).toHaveLength(5);
  expect(third?.rows.length).toBeGreaterThan(30);
  expect(answer.answers[0]?.rows).toHaveLength(1_000);
});

test("a few long texts are cut as well", () => {
  const bounded = boundAnswer({ stack: "x".repeat(50_000), list: [1] }, 10_000, "");
  expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(10_000);
});
