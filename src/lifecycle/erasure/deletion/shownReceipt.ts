import type { PrivacyRules } from "../../../visitors/privacyRules.ts";
import { shownCount, shownRows } from "../../../visitors/shownRows.ts";
import type { Deletion, DeletionReceipt } from "./deletionRow.ts";

/** Whether the days of a deletion are hidden: where only the audience is measured they would show when one visitor was here. */
export function hidesDays({ visitorKey }: Pick<Deletion, "visitorKey">, { audienceOnly }: PrivacyRules): boolean {
  return audienceOnly && visitorKey !== null;
}

/** The receipt of a deletion as answers and the audit log show it. */
export function shownReceipt(
  receipt: DeletionReceipt,
  deletion: Pick<Deletion, "visitorKey">,
  privacy: PrivacyRules,
): DeletionReceipt {
  const { tables, days, reapplied } = receipt;
  return {
    ...receipt,
    tables: tables.map(({ table, rowsBefore, rowsAfter }) => ({
      table,
      rowsBefore: shownRows(rowsBefore, table, privacy),
      rowsAfter: shownRows(rowsAfter, table, privacy),
    })),
    days: hidesDays(deletion, privacy) ? [] : days,
    ...(reapplied === undefined
      ? {}
      : { reapplied: reapplied.map((each) => ({ ...each, rows: shownCount(each.rows, privacy) })) }),
  };
}
