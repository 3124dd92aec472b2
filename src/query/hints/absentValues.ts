import { quoted } from "../../errors/problems.ts";
import type { AnswerHintInit } from "../../gen/lookout/services.ts";
import type { QueryFilter } from "../../gen/lookout/v1/query_pb.ts";
import { readCountry, suggestCountry } from "../../ingest/facts/countries.ts";
import { nearest } from "../../text/nearest.ts";
import type { CallReader } from "../answer/callReader.ts";
import { textsOf } from "../filters/readFilters.ts";
import { storedSpellings } from "../filters/storedSpellings.ts";
import { type FactTable, type Field, fieldNameOf, findField } from "../sql/fields.ts";
import { eventKinds } from "../sql/measures.ts";
import type { RowScope } from "../sql/rowScope.ts";
import { visitorType } from "../visits/visitColumns.ts";
import { withReach } from "../visits/visitSource.ts";
import { mostFrequent, mostValues } from "./mostFrequent.ts";

/** Values that rows must have in a field; `place` is where the request has them. */
export type AskedValues = { readonly place: string; readonly name: string; readonly values: readonly string[] };

/** More fields of one request are not looked up. */
const maxFields = 3;

/** Values that a hint lists where none is near. */
const maxShown = 5;

/** Names of events have a hint of their own (unsentNames.ts); of ids none is near another. */
const leftOut: ReadonlySet<string> = new Set(["event_name", "session_id", "anonymous_id", "website_id", visitorType]);

/** The values that filters compare with; `at` is the path to the filters. */
export function valuesOfFilters(filters: readonly QueryFilter[], at: string): AskedValues[] {
  return filters.flatMap(({ field, op, value }, index): AskedValues[] => {
    const values = op === "eq" || op === "in" ? (textsOf(value) ?? []).filter((text) => text !== "") : [];
    return values.length === 0 ? [] : [{ place: `${at}filters[${index}].value`, name: field, values }];
  });
}

/** The filter values because of which no visitor took a step or reached a goal: those of the step's own filters, and of all filters if no visitor passes them. */
export function valuesOfSteps(
  steps: readonly { readonly filters: readonly QueryFilter[]; readonly taken: number; readonly at: string }[],
  { filters, visitors }: { readonly filters: readonly QueryFilter[]; readonly visitors: number },
): AskedValues[] {
  return [
    ...(visitors === 0 ? valuesOfFilters(filters, "") : []),
    ...steps.flatMap((step) => (step.taken === 0 ? valuesOfFilters(step.filters, step.at) : [])),
  ];
}

/**
 * A hint for each value that no row of the range has, with the one that was probably meant. For empty answers, since it
 * reads the values of a field. None where they are too many to tell, or that cannot be found out: an answer must not fail
 * for its hints.
 */
export async function findAbsentValues(
  asked: readonly AskedValues[],
  table: FactTable,
  scope: Pick<RowScope, "websiteIds" | "range">,
  shared: CallReader,
): Promise<AnswerHintInit[]> {
  if (scope.websiteIds.length === 0) return [];
  const range = withReach(scope.range);
  const reader = shared.over(range);
  const read = { websiteIds: scope.websiteIds, range };
  try {
    const found = await Promise.all(
      asked
        .flatMap((one) => sourceOf(one.name, table) ?? [])
        .slice(0, maxFields)
        .map(async (source) => {
          const sent = await mostFrequent(source, read, reader);
          return asked.filter(({ name }) => name === source.name).flatMap((one) => hintsOf(one, source.field, sent));
        }),
    );
    return found.flat();
  } catch {
    return [];
  }
}

/** Where the values of a field are: in rows of the table if it has the field, else in events. */
function sourceOf(name: string, table: FactTable) {
  const from = findField(table, name) === undefined ? "events" : table;
  const field = findField(from, name);
  if (field === undefined || leftOut.has(fieldNameOf(from, name) ?? "")) return undefined;
  // Visits have these of their page views.
  const isPage = from === "events" && ["path", "entry_page", "exit_page"].includes(field.column);
  return { name, field, table: from, ...(isPage ? { column: "path", condition: eventKinds.page_view } : field) };
}

function hintsOf({ place, name, values }: AskedValues, field: Field, sent: readonly string[]): AnswerHintInit[] {
  const known = sent.filter((value) => value !== "");
  // Without any row nothing can be told.
  if (sent.length === 0 || sent.length >= mostValues) return [];
  const fold = (text: string): string => (field.ignoresCase ? text.toLowerCase() : text);
  const folded = new Set([...known, field.whenEmpty].map(fold));
  return values
    .filter((value) => !storedSpellings(name, value, "equals").some((spelling) => folded.has(fold(spelling))))
    .map((value) => hintOf(place, name, value, known));
}

function hintOf(field: string, name: string, value: string, known: readonly string[]): AnswerHintInit {
  const suggestion = meantBy(name, value, known);
  const others = known.length === 0 ? "" : `; it sent ${known.slice(0, maxShown).map(quoted).join(", ")}`;
  const next = suggestion === undefined ? others : `; did you mean ${quoted(suggestion)}?`;
  const message = `compares ${name} with ${quoted(value)}, which the website did not send in this range${next}`;
  return suggestion === undefined ? { field, message } : { field, message, suggestion };
}

/** What people call devices. */
const devices: Readonly<Record<string, string>> = {
  phone: "mobile",
  smartphone: "mobile",
  iphone: "mobile",
  computer: "desktop",
  laptop: "desktop",
  pc: "desktop",
  ipad: "tablet",
};

/** The value that was probably meant by one that nothing has. */
export function meantBy(name: string, value: string, known: readonly string[]): string | undefined {
  if (name === "country") return readCountry(value) === value ? undefined : suggestCountry(value);
  const device = name.startsWith("device") ? devices[value.toLowerCase().replace(/s$/, "")] : undefined;
  if (device !== undefined) return device;
  const same = known.find((one) => one.toLowerCase() === value.toLowerCase());
  // Any two short codes are near.
  return same ?? (value.length > 3 ? nearest(value, known) : undefined);
}
