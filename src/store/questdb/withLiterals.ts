/**
 * A statement with its values $1, $2 … written into its text, for where QuestDB cannot bind. Throws for a number that
 * is no safe integer.
 */
export function withLiterals(sql: string, values: readonly (string | number)[]): string {
  return sql.replaceAll(/\$(\d+)/g, (_, number) => {
    const value = values[Number(number) - 1];
    if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
    if (value === undefined || !Number.isSafeInteger(value)) throw new RangeError(`$${number} has no value to write`);
    return String(value);
  });
}
