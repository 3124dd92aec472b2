import type { MessageInitShape } from "@bufbuild/protobuf";
import type { App } from "../../app.ts";
import type { JudgedItem } from "../../gen/lookout/services.ts";
import type { EventResultSchema } from "../../gen/lookout/v1/ingest_pb.ts";
import type { TableName, TableRow } from "../../store/questdb/tables.ts";
import { type Drop, type DropReason, isIgnored } from "../dropReasons.ts";
import type { IngestEvent } from "../event.ts";
import { sentenceOf, type Verdict } from "../judge.ts";
import { nothingStored } from "../nothingStored.ts";
import { readSentTags } from "../sentTags.ts";
import type { IngestContext } from "../steps.ts";
import { claimCheckOf } from "./eventKeys.ts";
import { storeItems } from "./storeItems.ts";

/** What is no event of a visitor and has a table of its own. */
export type RecordType = "web_vitals" | "error" | "llm_call";

/** What is to become of one such item. A repeated one has the rows of the first with its id. */
export type RecordVerdict =
  | { readonly outcome: "taken"; readonly eventId: string | undefined; readonly rows: readonly TableRow[] }
  | { readonly outcome: "repeated"; readonly eventId: string | undefined; readonly rows: readonly TableRow[] }
  | { readonly outcome: "dropped"; readonly eventId: string | undefined; readonly drop: Drop };

/** The answer to a request with such items. */
export type RecordsAnswer = {
  status: string;
  type: RecordType;
  processed: number;
  count: number;
  results: MessageInitShape<typeof EventResultSchema>[];
};

/** Verdicts on items that went the way of events, each with the rows that are made of it. */
export function recordsOf<T>(
  type: RecordType,
  items: readonly JudgedItem<T>[],
  verdicts: readonly Verdict[],
  rowsOf: (value: T, event: IngestEvent, context: IngestContext) => readonly TableRow[],
): RecordVerdict[] {
  const rowsOfFirst = new Map<IngestEvent, readonly TableRow[]>();
  return items.flatMap(({ value, raw }, index): RecordVerdict[] => {
    const verdict = verdicts[index];
    if (verdict === undefined) return [];
    const { eventId } = readSentTags(raw);
    if (verdict.outcome === "dropped") return [{ outcome: "dropped", eventId, drop: verdict.drop }];
    if (verdict.outcome === "repeated")
      return [{ outcome: "repeated", eventId, rows: rowsOfFirst.get(verdict.first) ?? [] }];
    const { event, context } = verdict;
    const rows =
      value === undefined ? [] : claimed(type, context.websiteId, event.eventId, rowsOf(value, event, context));
    rowsOfFirst.set(event, rows);
    return [{ outcome: "taken", eventId, rows }];
  });
}

/** Rows of an item, which with an id are stored once, however often and with whatever time they are sent. */
export function claimed(
  type: RecordType,
  ownerId: string,
  eventId: string | undefined,
  rows: readonly TableRow[],
): readonly TableRow[] {
  if (eventId === undefined) return rows;
  const claimCheck = claimCheckOf(ownerId, type, eventId);
  return rows.map((row) => ({ ...row, claimCheck }));
}

/**
 * Stores the rows of the items that were taken and counts what became of all. Clients look at the status alone, so the answer is an
 * error when not one item could be stored; otherwise bad ones are told in `results`.
 *
 * Throws VALIDATION_ERROR and, when the rows cannot be kept, SERVICE_UNAVAILABLE.
 */
export async function storeRecords(
  app: Pick<App, "rows" | "metrics">,
  table: TableName,
  type: RecordType,
  verdicts: readonly RecordVerdict[],
): Promise<RecordsAnswer> {
  const items = verdicts.flatMap((verdict) => (verdict.outcome === "taken" ? { table, rows: verdict.rows } : []));
  await storeItems(app, items, verdicts.flatMap(dropReasonOf));
  const count = items.length;
  if (count === 0 && verdicts.length > 0 && !verdicts.some(wasIgnored)) throw nothingStored(verdicts);
  const results = verdicts.map((verdict) => resultOf(type, verdict));
  return { status: "success", type, processed: verdicts.length, count, results };
}

function dropReasonOf(verdict: RecordVerdict): DropReason[] {
  if (verdict.outcome === "taken") return [];
  return [verdict.outcome === "dropped" ? verdict.drop.reason : "repeated"];
}

function wasIgnored(verdict: RecordVerdict): boolean {
  return verdict.outcome === "dropped" && isIgnored(verdict.drop);
}

function resultOf(type: RecordType, verdict: RecordVerdict): MessageInitShape<typeof EventResultSchema> {
  const { eventId } = verdict;
  const failed = (message: string) => ({ status: "error", type, eventId, message, eventType: type });
  if (verdict.outcome === "dropped" && !isIgnored(verdict.drop)) return failed(sentenceOf(verdict.drop));
  return { status: "success", type, eventId };
}
