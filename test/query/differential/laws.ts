import type { JsonObject } from "@bufbuild/protobuf";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import type { QueryType } from "../../../src/query/catalogue/queryType.ts";
import { selectsEvents } from "../../kit/oracle/oracleFilters.ts";
import { sourceOf } from "../../kit/oracle/oracleSource.ts";
import type { RandomQuery } from "../../kit/oracle/randomQuery.ts";

/** What is asked of several types. Buckets are days. */
export type Question = Pick<RandomQuery, "start" | "end" | "zone" | "filters">;

/** All rows of a type's answer. */
export type Ask = (type: QueryType, question: Question) => Promise<JsonObject[]>;

export type Website = { readonly hasLoneEvents: boolean };

const isNear = (left: number, right: number) => Math.abs(left - right) < 0.0101;

/** Collects what is broken, each with both figures. */
class Findings {
  readonly broken: string[] = [];

  equal(law: string, left: number, right: number): void {
    if (!isNear(left, right)) this.broken.push(`${law}: ${left} is not ${right}`);
  }

  atMost(law: string, left: number, right: number): void {
    if (!(left <= right)) this.broken.push(`${law}: ${left} is more than ${right}`);
  }

  noneNegative(type: string, rows: readonly JsonObject[]): void {
    for (const row of rows)
      for (const [name, value] of Object.entries(row))
        if (typeof value === "number" && value < 0) this.broken.push(`${type}: ${name} is ${value}`);
  }
}

/** Types with a row for each value of a field of visits that say sessions and visitors. */
export const breakdowns: readonly QueryType[] = [...catalogue.values()].filter(
  (type) =>
    type.table === "events" &&
    type.only === undefined &&
    type.period === undefined &&
    type.shape.kind === "table" &&
    type.fields.some(({ from }) => "measure" in from && ["sessions", "active_sessions"].includes(from.measure)) &&
    type.fields.every(
      ({ from }) => !("measure" in from) || ["sessions", "visits"].includes(sourceOf(type, from.measure)),
    ),
);

/** Laws that hold between the answers to one question; those that are broken, in words. */
export async function brokenLaws(
  ask: Ask,
  question: Question,
  website: Website,
  someBreakdowns: readonly QueryType[],
): Promise<string[]> {
  const findings = new Findings();
  const of = async (name: string, filters: Question["filters"] = question.filters, range: Partial<Question> = {}) => {
    const rows = await ask(typeOf(name), { ...question, ...range, filters });
    findings.noneNegative(name, rows);
    return rows;
  };
  const one = async (...asked: Parameters<typeof of>) => (await of(...asked))[0] ?? {};

  const summary = await one("summary_metrics");
  const sessions = figure(summary, "sessions");
  const isOfEvents = selectsEvents({ filters: question.filters, type: typeOf("summary_metrics") });
  findings.atMost("visitors of the summary", figure(summary, "unique_visitors"), sessions);
  findings.atMost("bounce rate", figure(summary, "bounce_rate"), 100);

  if (isOfEvents)
    findings.equal("pages per session of a filter on events", Number(summary["pages_per_session"] === null), 1);
  else if (!website.hasLoneEvents && sessions > 0)
    findings.equal("pages per session", figure(summary, "pages_per_session"), figure(summary, "pageviews") / sessions);

  await inParallel([
    async () => {
      const days = await of("events_by_date");
      findings.equal("page views of days", sum(days, "pageviews"), figure(summary, "pageviews"));
      findings.equal("sessions of days", sum(days, "sessions"), sessions);
      findings.equal("events of days", sum(days, "value"), figure(summary, "total_events"));
      findings.atMost("visitors of all days", figure(summary, "unique_visitors"), sum(days, "visitors"));
    },
    async () => {
      const pages = await of("top_pages");
      findings.equal("page views of pages", sum(pages, "pageviews"), figure(summary, "pageviews"));
    },
    async () => {
      const names = sum(await of("custom_events"), "total_events");
      const all = figure(await one("custom_events_summary"), "total_events");
      findings.equal("custom events by name", names, all);
      findings.equal("events of both kinds", all + figure(summary, "pageviews"), figure(summary, "total_events"));
    },
    async () => {
      const [entries, exits] = [await of("entry_pages"), await of("exit_pages")];
      const withView = [...question.filters, { field: "event_type", op: "eq", values: ["page_view"] }];
      const viewing = figure(await one("summary_metrics", withView), "sessions");
      findings.equal("entry and exit pages", sum(entries, "sessions"), sum(exits, "sessions"));
      if (isOfEvents) {
        findings.atMost("entry pages", sum(entries, "sessions"), sessions);
        findings.atMost("selected visits with a selected page view", viewing, sum(entries, "sessions"));
      } else findings.equal("entry pages of visits with a page view", sum(entries, "sessions"), viewing);
      for (const type of someBreakdowns) {
        const rows = await of(type.name);
        const withRow = sum(rows, "sessions");
        findings.atMost(`sessions of ${type.name}`, withRow, sessions);
        findings.atMost(`visitors of ${type.name}`, sum(rows, "visitors"), withRow);
        // Some leave out visits without a value.
        if (type.shape.kind === "table" && type.shape.withoutValue === "none") continue;
        findings.equal(`all sessions of ${type.name}`, withRow, sessions);
        findings.atMost(`all visitors of ${type.name}`, figure(summary, "unique_visitors"), sum(rows, "visitors"));
        if (type.fields.some(({ name }) => name === "pageviews"))
          findings.equal(`page views of ${type.name}`, sum(rows, "pageviews"), figure(summary, "pageviews"));
      }
    },
    async () => {
      const parts = splitRange(question);
      if (parts === undefined) return;
      const [first, second] = [
        await one("summary_metrics", question.filters, parts[0]),
        await one("summary_metrics", question.filters, parts[1]),
      ];
      for (const name of ["sessions", "pageviews", "total_events"])
        findings.equal(`${name} of two parts`, figure(first, name) + figure(second, name), figure(summary, name));
    },
    async () => {
      // A condition and its opposite share out what there is without them.
      const [filter, ...others] = question.filters;
      const op = opposites[filter?.op ?? ""];
      if (filter === undefined || op === undefined) return;
      const opposite = { ...filter, op };
      const rest = await one("summary_metrics", [opposite, ...others]);
      const whole = await one("summary_metrics", others);
      const isOfOneEvent = selectsEvents({ filters: [filter], type: typeOf("summary_metrics") });
      for (const name of ["pageviews", "total_events", ...(isOfOneEvent ? [] : ["sessions"])])
        findings.equal(
          `${name} with and without ${filter.field}`,
          figure(summary, name) + figure(rest, name),
          figure(whole, name),
        );
    },
  ]);
  return findings.broken;
}

async function inParallel(steps: readonly (() => Promise<void>)[]): Promise<void> {
  await Promise.all(steps.map((step) => step()));
}

/** The opposites of operators that have one. */
const opposites: Readonly<Record<string, string>> = {
  eq: "ne",
  ne: "eq",
  contains: "not_contains",
  not_contains: "contains",
  in: "not_in",
  not_in: "in",
  is_empty: "is_not_empty",
  is_not_empty: "is_empty",
};

function typeOf(name: string): QueryType {
  const type = catalogue.get(name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
}

function figure(row: JsonObject, name: string): number {
  return Number(row[name] ?? 0);
}

function sum(rows: readonly JsonObject[], name: string): number {
  return rows.reduce((total, row) => total + figure(row, name), 0);
}

/** The range in two parts: its first day, and the others; undefined for a single day. */
function splitRange({
  start,
  end,
}: Question): readonly [Pick<Question, "start" | "end">, Pick<Question, "start" | "end">] | undefined {
  const firstDay = start.slice(0, 10);
  const nextDay = new Date(Date.parse(firstDay) + 86_400_000).toISOString().slice(0, 10);
  // The end may be an instant whose local day is the one before or after.
  const lastDay = new Date(Date.parse(end.slice(0, 10)) - (end.length > 10 ? 2 * 86_400_000 : 0))
    .toISOString()
    .slice(0, 10);
  if (nextDay > lastDay) return undefined;
  return [
    { start, end: firstDay },
    { start: nextDay, end },
  ];
}
