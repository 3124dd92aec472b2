export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [lines[0], `|${"---|".repeat(headings.length)}`, ...lines.slice(1)].join("\n");
}

export function quoted(name: string): string {
  return `\`${name}\``;
}
