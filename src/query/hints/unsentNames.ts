import { quoted } from "../../errors/problems.ts";
import type { AnswerHintInit } from "../../gen/lookout/services.ts";
import type { QueryFilter } from "../../gen/lookout/v1/query_pb.ts";
import { nearest } from "../../text/nearest.ts";
import { pathSpellings } from "../../text/pagePath.ts";
import type { CallReader } from "../answer/callReader.ts";
import { textsOf } from "../filters/readFilters.ts";
import type { GivenStep } from "../goals/steps.ts";
import { Bindings } from "../sql/bindings.ts";
import { propertyField, propertyKeyOf, propertyKeyProblem } from "../sql/eventProperties.ts";
import { findField } from "../sql/fields.ts";
import { eventKinds } from "../sql/measures.ts";
import { type RowScope, rowsOf } from "../sql/rowScope.ts";
import { withReach } from "../visits/visitSource.ts";
import { mostFrequent } from "./mostFrequent.ts";

/** A name in a request that only events of the website can give a meaning; `field` is its place. */
export type AskedName = { readonly field: string; readonly kind: "event" | "property" | "page"; readonly name: string };

/** More names of one request are not looked up. */
const maxNames = 10;

/** The names of events and keys of properties that filters select by; `at` is the path to them. */
export function namesOfFilters(filters: readonly QueryFilter[], at: string): AskedName[] {
  return filters.flatMap(({ field, op, value }, index): AskedName[] => {
    const key = propertyKeyOf(field);
    if (key !== undefined && propertyKeyProblem(key) === undefined)
      return [{ field: `${at}filters[${index}].field`, kind: "property", name: key }];
    if (findField("events", field)?.column !== "name" || (op !== "eq" && op !== "in")) return [];
    const names = (textsOf(value) ?? []).filter((name) => name !== "");
    return names.map((name) => ({ field: `${at}filters[${index}].value`, kind: "event", name }));
  });
}

/** The names of goals or steps; `at` is the path to the one at a place of the list. */
export function namesOfSteps(steps: readonly GivenStep[], at: (index: number) => string): AskedName[] {
  return steps.flatMap(({ action, filters }, index): AskedName[] => {
    const place = at(index);
    return [...ownNames(action, place), ...namesOfFilters(filters, place)];
  });
}

/** The event or page of a goal; none for pages whose paths match. */
function ownNames(action: GivenStep["action"], place: string): AskedName[] {
  if (action.case === "event") return [{ field: `${place}event`, kind: "event", name: action.value }];
  const isOne = action.case === "page" && (action.value.op ?? "eq") === "eq";
  return isOne ? [{ field: `${place}page.path`, kind: "page", name: action.value.path }] : [];
}

/** The keys of the properties that say what goals are worth. */
export function namesOfWorth(
  value: { readonly property: string; readonly currencyProperty?: string } | undefined,
  at: string,
): AskedName[] {
  return (["property", "currencyProperty"] as const).flatMap((name) => {
    const key = value?.[name];
    return key === undefined ? [] : [{ field: `${at}value.${name}`, kind: "property" as const, name: key }];
  });
}

/**
 * A hint for each name that no event of the range has, with the nearest one that some have. None where that cannot be found out: an answer
 * must not fail for its hints.
 */
export async function findUnsentNames(
  asked: readonly AskedName[],
  scope: Pick<RowScope, "websiteIds" | "range">,
  shared: CallReader,
): Promise<AnswerHintInit[]> {
  if (asked.length === 0 || scope.websiteIds.length === 0) return [];
  const range = withReach(scope.range);
  const reader = shared.over(range);
  const read = { websiteIds: scope.websiteIds, range };
  try {
    const isSent = await Promise.all(asked.slice(0, maxNames).map((name) => wasSent(name, read, reader)));
    const unsent = asked.filter((_, index) => isSent[index] === false);
    const sent = new Map<AskedName["kind"], readonly string[]>();
    for (const kind of new Set(unsent.map((one) => one.kind))) sent.set(kind, await sentNames[kind](read, reader));
    return unsent.map((one) => hintOf(one, sent.get(one.kind) ?? []));
  } catch {
    return [];
  }
}

function hintOf({ field, kind, name }: AskedName, sent: readonly string[]): AnswerHintInit {
  const suggestion = nearest(name, sent);
  const others = sent.length === 0 ? "" : `; it sent ${sent.slice(0, maxShown).map(quoted).join(", ")}`;
  const next = suggestion === undefined ? others : `; did you mean "${suggestion}"?`;
  const message = `names ${articles[kind]}, ${quoted(name)}, that the website did not send in this range${next}`;
  return suggestion === undefined ? { field, message } : { field, message, suggestion };
}

const articles: Readonly<Record<AskedName["kind"], string>> = {
  event: "an event",
  property: "a property",
  page: "a page",
};

/** Names that a hint lists where none is near. */
const maxShown = 5;

/** Reads until the first event with the name. */
async function wasSent({ kind, name }: AskedName, scope: RowScope, reader: CallReader): Promise<boolean> {
  for (const table of kind === "property" ? (["events", "outgoing_links"] as const) : (["events"] as const)) {
    const bindings = new Bindings();
    const rows = rowsOf(table, scope, bindings);
    const condition = conditionOf(kind, name, bindings);
    const found = await reader.read(`SELECT ts FROM ${rows} AND ${condition} LIMIT 1`, bindings.values);
    if (found.length > 0) return true;
  }
  return false;
}

function conditionOf(kind: AskedName["kind"], name: string, bindings: Bindings): string {
  if (kind === "event") return `name = ${bindings.bind(name)}`;
  if (kind === "property") return `${propertyField(name, bindings).column} IS NOT NULL`;
  const paths = pathSpellings(name).map((path) => bindings.bind(path));
  return `${eventKinds.page_view} AND path IN (${paths.join(", ")})`;
}

/** Names that the website sent: some of them where there are thousands. */
const sentNames: Readonly<Record<AskedName["kind"], (scope: RowScope, reader: CallReader) => Promise<string[]>>> = {
  event: (scope, reader) =>
    mostFrequent({ table: "events", column: "name", condition: eventKinds.custom }, scope, reader),
  page: (scope, reader) =>
    mostFrequent({ table: "events", column: "path", condition: eventKinds.page_view }, scope, reader),
  property: async (scope, reader) => {
    const bindings = new Bindings();
    const rows = rowsOf("events", scope, bindings);
    const sql = `SELECT properties FROM ${rows} AND properties IS NOT NULL LIMIT -500`;
    const found = await reader.read(sql, bindings.values);
    return [...new Set(found.flatMap((row) => Object.keys(JSON.parse(String(row["properties"])))))];
  },
};
