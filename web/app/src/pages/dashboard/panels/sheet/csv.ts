/** Rows as CSV (RFC 4180) with a header of plain names. An empty field is null. */
export function csvOf(header: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [header, ...rows.map((cells) => cells.map(cellOf))].map((cells) => `${cells.join(",")}\r\n`).join("");
}

function cellOf(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? String(value) : `"${safe(value).replaceAll('"', '""')}"`;
}

/** Spreadsheets run text that looks like a formula; the files of exports have the same apostrophe. */
function safe(text: string): string {
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}
