import { contextColumns } from "../../aggregation/sessionContext.ts";
import type { Field } from "../sql/fields.ts";

/** Figures of a visit. `last` and `began` are Unix microseconds; `bounced` is a condition. */
export const visitFigures = [
  "session_key",
  "began",
  "last",
  "started",
  "visitor_key",
  "page_views",
  "actions",
  "clicks",
  "seconds",
  "duration_ms",
  "bounced",
] as const;

/** Whether a visit is its visitor's first one: a text that neither its events nor its stored session hold. */
export const visitorType = "visitor_type";

/** Texts of a visit, each that of its first event that has one; of page views alone the first and last path. */
export const visitTexts = [
  ...contextColumns,
  "session_id",
  "anonymous_id",
  "website_id",
  "entry_page",
  "exit_page",
  visitorType,
] as const;

export type VisitText = (typeof visitTexts)[number];

/** The texts of visits that these fields read, each once. */
export function textsOf(fields: readonly Field[]): VisitText[] {
  const wanted = new Set(fields.flatMap(({ column, filterColumns = [] }) => [column, ...filterColumns]));
  return visitTexts.filter((text) => wanted.has(text));
}
