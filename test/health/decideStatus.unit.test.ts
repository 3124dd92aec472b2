import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decideStatus, withoutPostgresMs } from "../../src/health/decideStatus.ts";
import { type ProcessKind, runbookOf, type StateName, stateNames, statesOf } from "../../src/health/states.ts";

const kinds = ["api", "worker", "probe"] as const;

/** The states of a process in which it answers 503, if they have been the case for a time. */
const unavailableIn = (kind: ProcessKind, forMs: number): StateName[] =>
  statesOf(kind).filter((state) => decideStatus(kind, [{ state, forMs }]) === "unavailable");

test("8: an API that can accept events stays in the load balancer, whatever is wrong with the stores", () => {
  expect(unavailableIn("api", 0)).toEqual(["log_full"]);
  expect(unavailableIn("api", withoutPostgresMs - 1)).toEqual(["log_full"]);
});

test("8: without PostgreSQL it knows no website any more after ten minutes", () => {
  expect(unavailableIn("api", withoutPostgresMs)).toEqual(["postgres_unavailable", "log_full"]);
});

test("8: a worker and a probe count as working while they get work and can keep its results", () => {
  expect(unavailableIn("worker", withoutPostgresMs)).toEqual(["temporal_unavailable", "not_polling", "log_full"]);
  expect(unavailableIn("probe", withoutPostgresMs)).toEqual(["temporal_unavailable", "not_polling"]);
});

test("every other state is degraded, none is ok, and the worst one decides", () => {
  for (const kind of kinds) {
    expect(decideStatus(kind, [])).toBe("ok");
    for (const state of statesOf(kind)) expect(decideStatus(kind, [{ state, forMs: 0 }]), state).not.toBe("ok");
  }
  const states = [
    { state: "disk_low", forMs: 0 },
    { state: "log_full", forMs: 0 },
  ] as const;
  expect(decideStatus("api", states)).toBe("unavailable");
});

test("each state leads to a section of the page of troubles, which names it", () => {
  const page = readFileSync("docs/operate/troubles.md", "utf8");
  const sections = new Map(
    page.split(/^## /m).map((text) => [text.split("\n", 1)[0]?.toLowerCase().replaceAll(" ", "-") ?? "", text]),
  );
  for (const state of stateNames) {
    const [, anchor = ""] = runbookOf(state).split("#");
    expect(sections.get(anchor), state).toContain(state);
  }
});
