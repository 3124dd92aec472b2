import type { FieldName } from "../sql/fields.ts";
import { dateField, type OutputField, type QueryType, type Shape, seriesLimit, tableLimit } from "./queryType.ts";

/** What several types have in common. */
export type Group = Pick<QueryType, "category" | "isPublic" | "table"> & Partial<QueryType>;

/** A type of any shape; `more` overrides what the group says. */
export function define(
  group: Group,
  name: string,
  title: string,
  description: string,
  shape: Shape,
  fields: readonly OutputField[],
  more: Partial<QueryType> = {},
): QueryType {
  return { defaultLimit: tableLimit, ...group, name, title, description, shape, fields, ...more };
}

/** One row with the figures of the whole range. */
export function summary(
  group: Group,
  name: string,
  title: string,
  description: string,
  fields: readonly OutputField[],
  more?: Partial<QueryType>,
): QueryType {
  return define(group, name, title, description, { kind: "summary" }, fields, more);
}

/** A row with the figures of each day or hour. */
export function series(
  group: Group,
  name: string,
  title: string,
  description: string,
  figures: readonly OutputField[],
): QueryType {
  const fields = [dateField, ...figures];
  return define(group, name, title, description, { kind: "series" }, fields, { defaultLimit: seriesLimit });
}

/** A row for each combination of the dimensions' values. */
export function table(
  group: Group,
  name: string,
  title: string,
  description: string,
  dimensions: readonly FieldName[],
  fields: readonly OutputField[],
): QueryType {
  return define(group, name, title, description, { kind: "table", dimensions }, fields);
}
