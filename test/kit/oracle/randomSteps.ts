import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { pick, samplePaths } from "../random/randomEvents.ts";
import { makeRandomQuery, type RandomQuery, randomFilter, sentFilter } from "./randomQuery.ts";

/** A page or custom event to reach, with filters. */
export type RandomStep = {
  readonly kind: "page" | "event";
  readonly op: string;
  readonly value: string;
  readonly filters: RandomQuery["filters"];
};

/** Goals or a funnel, and the visits they are looked for in. */
export type RandomSteps = Pick<RandomQuery, "type" | "start" | "end" | "zone" | "unit" | "filters"> & {
  readonly steps: readonly RandomStep[];
  readonly splitBy: string;
};

/** Fields of visits to split by. */
const splits = [
  ...["referrer", "referrer_source", "referrer_group", "utm_source", "utm_campaign", "entry_page", "exit_page"],
  ...["country", "region", "language", "browser_name", "os_name", "device_type"],
];

/** The type whose filters select visits as those of goals and funnels do. */
export function summary(): RandomQuery["type"] {
  const type = catalogue.get("summary_metrics");
  if (type === undefined) throw new Error("no type summary_metrics");
  return type;
}

export function makeRandomSteps(least: number, random: () => number): RandomSteps {
  const { type, start, end, zone, unit, filters } = makeRandomQuery(summary(), random);
  const steps = Array.from({ length: least + Math.floor(random() * 3) }, () => randomStep(random));
  return { type, start, end, zone, unit, filters, steps, splitBy: pick(random, splits) };
}

function randomStep(random: () => number): RandomStep {
  const filters = random() < 0.3 ? [randomFilter("events", random)] : [];
  if (random() < 0.4) return { kind: "event", op: "eq", value: pick(random, ["buy", "sign_up", "buy%"]), filters };
  const op = pick(random, ["eq", "eq", "contains", "starts_with", "ends_with", "matches"]);
  const value = op === "eq" ? pick(random, samplePaths) : pick(random, ["/", "/p", "ric", "%b", "/a_b", "/a"]);
  return { kind: "page", op, value: op === "matches" ? `${value}*` : value, filters };
}

/** A step as a request has it. */
export function sentStep({ kind, op, value, filters }: RandomStep) {
  const action = kind === "event" ? { event: value } : { page: op === "eq" ? value : { path: value, op } };
  return { ...action, filters: filters.map(sentFilter) };
}
