import type { Column, ColumnKind, Key } from "./dataset.ts";

export const column = (kind: ColumnKind, name: string, sql = name): Column => ({ name, kind, sql });

/** Columns of one kind that are named as in their table. */
export const texts = (...names: readonly string[]): Column[] => names.map((name) => column("text", name));
export const integers = (...names: readonly string[]): Column[] => names.map((name) => column("integer", name));
export const numbers = (...names: readonly string[]): Column[] => names.map((name) => column("number", name));

export const numberKey = (sql: string): Key => ({ sql, kind: "number" });
export const textKey = (sql: string): Key => ({ sql, kind: "text" });

/** A time of QuestDB in milliseconds. */
export const ms = (microseconds: string) => `${microseconds}::long / 1000`;

/** A time of PostgreSQL in milliseconds. */
export const wholeMs = (time: string) => `floor(extract(epoch FROM ${time}) * 1000)::bigint`;
