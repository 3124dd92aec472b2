/** A table for the details that the Temporal UI shows of a run. */
export function markdownTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "-")), ...rows.map(line)].join("\n");
}
