import type { EventResultInit, ValidatedItem } from "../../gen/lookout/services.ts";
import type { TableName, TableRow } from "../../store/questdb/tables.ts";
import { type Dropped, isIgnored } from "../dropReasons.ts";
import type { IngestEvent } from "../event.ts";
import type { RowStore } from "../ingestCall.ts";
import { nothingStored } from "../nothingStored.ts";
import { readSentTags } from "../sentTags.ts";
import { sentenceOf, type Validation } from "../validateEvent.ts";
import { claimed, storeItems } from "./storeItems.ts";

/** Items that are no visitor events and have a table of their own. */
export type RecordType = "web_vitals" | "error" | "llm_call";

/** The result of validating one such item. */
export type RecordValidation =
  | { readonly outcome: "taken"; readonly eventId: string | undefined; readonly rows: readonly TableRow[] }
  | ({ readonly outcome: "repeated" | "dropped"; readonly eventId: string | undefined } & Dropped);

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
  rowsOf: (value: T, event: IngestEvent, websiteId: string) => readonly TableRow[],
): RecordValidation[] {
  return validations.map((validation, index) => {
    const { value, raw } = items[index] ?? {};
    const { eventId } = readSentTags(raw);
    if (validation.outcome !== "taken") {
      const { outcome, drop, websiteId } = validation;
      return { outcome, eventId, drop, websiteId };
    }
    const { event, context } = validation;
    const rows = value === undefined ? [] : rowsOf(value, event, context.websiteId);
    return { outcome: "taken", eventId, rows: claimed(type, context.websiteId, event.eventId, rows) };
  });
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
  await storeItems(
    app,
    validations.map((validation) => (validation.outcome === "taken" ? { table, rows: validation.rows } : validation)),
  );
  const count = validations.filter(({ outcome }) => outcome === "taken").length;
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
