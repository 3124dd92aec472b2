import type { Pool } from "pg";
import type { Caller } from "../../../access/caller.ts";
import { ApiError } from "../../../errors.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import { readExport } from "../run/exportRun.ts";
import type { ExportRow } from "./exportRow.ts";

/** An export whose website the caller reaches. Rejects with NOT_FOUND, in the same words for what does not exist and what is another's. */
export async function findExport(
  postgres: Pick<Pool, "query">,
  id: string,
  caller: Caller | undefined,
): Promise<ExportRow> {
  // PostgreSQL refuses this character, and no id holds it.
  const row = id.includes("\u0000") ? undefined : await readExport(postgres, id);
  if (row === undefined) throw notFound();
  try {
    await findWebsite(postgres, row.websiteId, caller);
  } catch (error) {
    throw error instanceof ApiError && error.code === "NOT_FOUND" ? notFound() : error;
  }
  return row;
}

function notFound(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "There is no such export, or your credentials do not reach it. GET /v1/websites/{website_id}/exports lists a website's",
  );
}
