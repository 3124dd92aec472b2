import type { EventResultInit, ValidatedItem } from "../../gen/lookout/services.ts";
import type { TableName, TableRow } from "../../store/questdb/tables.ts";
import { claimCheckOf } from "../../store/write/eventKeys.ts";
import { type Dropped, isIgnored } from "../dropReasons.ts";
import type { IngestEvent } from "../event.ts";
import type { RowStore } from "../ingestCall.ts";
import { nothingStored } from "../nothingStored.ts";
import { readSentTags } from "../sentTags.ts";
import type { IngestContext } from "../steps.ts";
import { sentenceOf, type Validation } from "../validateEvent.ts";
import { storeItems } from "./storeItems.ts";

/** Items that are no visitor events and have a table of their own. */
export type RecordType = "web_vitals" | "error" | "llm_call";

/** The result of validating one such item. A repeated one has the rows of the first with its id. */
export type RecordValidation =
  | { readonly outcome: "taken"; readonly eventId: string | undefined; readonly rows: readonly TableRow[] }
  | ({
      readonly outcome: "repeated";
      readonly eventId: string | undefined;
      readonly rows: readonly TableRow[];
    } & Dropped)
  | ({ readonly outcome: "dropped"; readonly eventId: string | undefined } & Dropped);

/** The answer to a request with such items. */
export type RecordsAnswer = {
  status: string;
  type: RecordType;
  processed: number;
  count: number;
  results: EventResultInit[];
};

/** The results of items that were validated like events, each with the rows made from it. */
export function recordsOf<T>(
  type: RecordType,
  items: readonly ValidatedItem<T>[],
  validations: readonly Validation[],
  rowsOf: (value: T, event: IngestEvent, context: IngestContext) => readonly TableRow[],
): RecordValidation[] {
  const rowsOfFirst = new Map<IngestEvent, readonly TableRow[]>();
  return items.flatMap(({ value, raw }, index): RecordValidation[] => {
    const validation = validations[index];
    if (validation === undefined) return [];
    const { eventId } = readSentTags(raw);
    if (validation.outcome !== "taken") {
      const { drop, websiteId } = validation;
      if (validation.outcome === "dropped") return [{ outcome: "dropped", eventId, drop, websiteId }];
      return [{ outcome: "repeated", eventId, rows: rowsOfFirst.get(validation.first) ?? [], drop, websiteId }];
    }
    const { event, context } = validation;
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
 * Stores the rows of the accepted items and counts the results of all. Clients check only the status, so the answer is
 * an error when no item could be stored; otherwise invalid ones are reported in `results`.
 *
 * Throws VALIDATION_ERROR and, when the rows cannot be stored, SERVICE_UNAVAILABLE.
 */
export async function storeRecords(
  app: RowStore,
  table: TableName,
  type: RecordType,
  validations: readonly RecordValidation[],
): Promise<RecordsAnswer> {
  const items = validations.flatMap((validation) =>
    validation.outcome === "taken" ? { table, rows: validation.rows } : [],
  );
  const drops = validations.flatMap((validation) => (validation.outcome === "taken" ? [] : validation));
  await storeItems(app, items, drops);
  const count = items.length;
  if (count === 0 && validations.length > 0 && !validations.some(wasIgnored)) throw nothingStored(validations);
  const results = validations.map((validation) => resultOf(type, validation));
  return { status: "success", type, processed: validations.length, count, results };
}

function wasIgnored(validation: RecordValidation): boolean {
  return validation.outcome === "dropped" && isIgnored(validation.drop);
}

function resultOf(type: RecordType, validation: RecordValidation): EventResultInit {
  const { eventId } = validation;
  const failed = (message: string) => ({ status: "error", type, eventId, message, eventType: type });
  if (validation.outcome === "dropped" && !isIgnored(validation.drop)) return failed(sentenceOf(validation.drop));
  return { status: "success", type, eventId };
}
