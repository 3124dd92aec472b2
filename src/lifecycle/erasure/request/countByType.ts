import type { StoredWebsite } from "../../../websites/website.ts";
import type { DataCall } from "../../dataCall.ts";
import type { Counting } from "../../rowCounts.ts";
import { countRows } from "../deletion/countRows.ts";
import { type DeletionScope, dataTypeOf, targetsOf } from "../deletion/deletionScope.ts";

/** Rows to erase, by requested data type, and by table for tables that are erased along with a type. */
export async function countByType(
  scope: DeletionScope,
  website: Pick<StoredWebsite, "id" | "privacy">,
  { app, signal }: DataCall,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = Object.fromEntries(scope.dataTypes.map((type) => [type, 0]));
  for (const target of targetsOf(scope)) {
    const counting: Counting = (questdb, options) => countRows(questdb, target, options);
    const count = await app.rowCounts.of(website, target.table, counting, signal);
    const name = dataTypeOf(target.table);
    if (count > 0) deleted[name] = (deleted[name] ?? 0) + count;
  }
  return deleted;
}
