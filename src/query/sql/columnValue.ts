import type { JsonValue } from "@bufbuild/protobuf";
import type { Row } from "../../store/questdb/questdbReader.ts";
import { finelyRounded, rounded } from "../../text/rounded.ts";

/**
 * text: empty without a value; count: 0 without one; figure: 2 places, null without one; cost: 8
 * places, 0 without one; precise: 8 places, null without one; time: ISO 8601 in UTC or null; booleanOrNull: null without one, as boolean is false; json: the stored
 * JSON or null.
 */
export type ColumnFormat =
  | "text"
  | "count"
  | "figure"
  | "cost"
  | "precise"
  | "time"
  | "boolean"
  | "booleanOrNull"
  | "json";

/** A QuestDB value as answers show it. */
export function columnValue(value: Row[string], format: ColumnFormat): JsonValue {
  switch (format) {
    case "text":
      return value === null ? "" : String(value);
    case "count":
      return Number(value ?? 0);
    case "figure":
      return value === null ? null : rounded(Number(value));
    case "cost":
      return finelyRounded(Number(value ?? 0));
    case "precise":
      return value === null ? null : finelyRounded(Number(value));
    case "time":
      return value === null ? null : new Date(Number(value)).toISOString();
    case "boolean":
      return value === true || value === 1;
    case "booleanOrNull":
      return value === null ? null : value === true || value === 1;
    case "json":
      return value === null || value === "" ? null : JSON.parse(String(value));
  }
}
