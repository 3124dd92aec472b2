/** The entries of a list separated by commas, semicolons or white space. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== "");
}

/** Headers, one on each line: `Name: value`. A line without a colon is a header without a value. */
export function headersOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map((line) => {
        const at = line.indexOf(":");
        return at === -1 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );
}
