import type { PrivacyRules } from "../visitors/privacyRules.ts";
import { shownCount, shownRows } from "../visitors/shownRows.ts";
import { retentionKinds } from "./kinds.ts";

/** Stored counts of rows by kind of data, as answers state them. */
export function shownKinds(counts: Readonly<Record<string, number>>, privacy: PrivacyRules): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts).map(([name, rows]) => {
      const kind = retentionKinds.find((each) => each.name === name);
      return [name, kind === undefined ? shownCount(rows, privacy) : shownRows(rows, kind.table, privacy)];
    }),
  );
}
