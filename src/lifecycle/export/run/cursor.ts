import type { Key } from "../dataset.ts";

/** The last row that was read: its time in microseconds and its key, as the store writes them; two keys have a space between them. */
export type Cursor = { readonly us: string; readonly key: string };

/** The expression that makes the key of a cursor. */
export function cursorSql(keys: readonly Key[]): string {
  const [first, second] = keys.map(({ sql }) => sql);
  return second === undefined ? `${first}` : `concat(${first}, ' ', ${second})`;
}

/** The values of a cursor's keys. A text may hold spaces if it is the last one. */
export function keysOf({ key }: Cursor, keys: readonly Key[]): readonly (string | number)[] {
  const space = keys.length === 1 ? -1 : key.indexOf(" ");
  const texts = space < 0 ? [key] : [key.slice(0, space), key.slice(space + 1)];
  return texts.map((text, index) => (keys[index]?.kind === "number" ? Number(text) : text));
}

/** The condition for keys that come after those bound from `$at` on. */
export function afterSql(keys: readonly Key[], at: number): string {
  const [first, second] = keys.map(({ sql }) => sql);
  return second === undefined
    ? `${first} > $${at}`
    : `${first} > $${at} OR (${first} = $${at} AND ${second} > $${at + 1})`;
}
