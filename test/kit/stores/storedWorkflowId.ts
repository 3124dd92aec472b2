import { type StoredKind, workflowIdSql } from "../../../src/store/temporal/workflowIds.ts";
import { inDatabase } from "./inDatabase.ts";

const tableOf = { monitor: "monitors", delivery: "deliveries", export: "exports", deletion: "deletions" } as const;

/** The id of the workflow of a row. */
export async function storedWorkflowId(kind: StoredKind, id: string): Promise<string> {
  const sql = `SELECT ${workflowIdSql(kind)} AS "workflowId" FROM ${tableOf[kind]} WHERE id = $1`;
  const { rows } = await inDatabase((database) => database.query<{ workflowId: string }>(sql, [id]));
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no ${kind} ${id}`);
  return row.workflowId;
}
