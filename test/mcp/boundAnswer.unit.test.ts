import { expect, test, vi } from "vitest";
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

test("many lists of the same length lose the same, in few steps", () => {
  const answer = { answers: Array.from({ length: 50 }, (_, type) => ({ type, rows: rows(500) })) };
  const lengths = countStringified(() => boundAnswer(answer, 40_000, "Ask for less."));
  const { answers } = lengths.result as { answers: { rows: object[] }[] };
  expect(answers).toHaveLength(50);
  const kept = answers.map((one) => one.rows.length);
  expect(Math.min(...kept)).toBeGreaterThan(10);
  expect(Math.max(...kept) - Math.min(...kept)).toBeLessThanOrEqual(1);
  // Each step writes the whole answer: 50 steps and more kept other requests waiting for half a second.
  expect(lengths.whole).toBeLessThan(10);
});

/** What `work` returns, and how many objects with `answers` it wrote as JSON. */
function countStringified<T>(work: () => T): { result: T; whole: number } {
  const spy = vi.spyOn(JSON, "stringify");
  try {
    const result = work();
    const whole = spy.mock.calls.filter(([value]) => typeof value === "object" && value !== null && "answers" in value);
    return { result, whole: whole.length };
  } finally {
    spy.mockRestore();
  }
}

test("a few long texts are cut as well", () => {
  const bounded = boundAnswer({ stack: "x".repeat(50_000), list: [1] }, 10_000, "");
  expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(10_000);
});

test("rows that hold lists stay whole, as many as fit", () => {
  const session = { id: "s", events: Array.from({ length: 8 }, () => ({ name: "x".repeat(60) })) };
  const answer = {
    answers: [{ rows: Array.from({ length: 20 }, () => ({ ...session, text: "y".repeat(300) })), hasMore: false }],
  };
  const bounded = boundAnswer(answer, 4_000, "Ask for less.");
  const [first] = bounded["answers"] as { rows: (typeof session)[]; hasMore: boolean }[];
  expect(first?.rows.length).toBeGreaterThanOrEqual(3);
  expect(first?.hasMore).toBe(true);
  expect(bounded["note"]).toContain(`answers[0].rows: ${first?.rows.length} of 20`);
  expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(4_000);
});

test("rows and those to compare with lose the same", () => {
  const compared = rows(100).map((row) => ({ ...row, path: `${row.path}/${"x".repeat(40)}` }));
  const bounded = boundAnswer({ answers: [{ rows: rows(100), comparison: { rows: compared } }] }, 4_000, "");
  const [first] = bounded["answers"] as { rows: object[]; comparison: { rows: object[] } }[];
  expect(first?.rows.length).toBeGreaterThan(10);
  expect(first?.comparison.rows).toHaveLength(first?.rows.length ?? 0);
});

test("rows by time lose the oldest", () => {
  const days = Array.from({ length: 300 }, (_, day) => ({
    date: new Date(day * 86_400_000).toISOString().slice(0, 10),
    views: day,
  }));
  const bounded = boundAnswer({ answers: [{ rows: days, hasMore: false }] }, 4_000, "");
  const [first] = bounded["answers"] as { rows: typeof days; hasMore: boolean }[];
  expect(first?.rows.at(-1)).toEqual(days.at(-1));
  expect(first?.rows).toEqual(days.slice(-(first?.rows.length ?? 0)));
  expect(first?.rows.length).toBeGreaterThan(60);
  expect(bounded["note"]).toContain(`answers[0].rows: the newest ${first?.rows.length} of 300`);
});
