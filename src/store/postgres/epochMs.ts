/** The SQL of a column with a time, as Unix ms; null stays null. */
export function epochMs(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8`;
}
