import { statusOfCode } from "../../src/errors.ts";

/** The codes of errors with their usual HTTP statuses. */
export function errorsTable(): string {
  const rows = Object.entries(statusOfCode).map(([code, status]) => `| \`${code}\` | ${status} |`);
  return ["| code | HTTP status |", "|---|---|", ...rows].join("\n");
}
