import type { Pool } from "pg";
import type { Caller } from "../../../call/caller.ts";
import { ApiError } from "../../../errors/errors.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import type { ExportRow } from "../exportRow.ts";
import { readExport } from "../exportRun.ts";

/**
 * An export whose website the caller may read. Rejects with NOT_FOUND, with the same text for what does not exist and
 * what belongs to another organization.
 */
export async function findExport(
  postgres: Pick<Pool, "query">,
  id: string,
  caller: Caller | undefined,
): Promise<ExportRow> {
  // PostgreSQL refuses U+0000, and no id contains it.
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
