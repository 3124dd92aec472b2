import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import type { Pool } from "pg";
import { type SharedDashboard, sharedDashboardColumns } from "../access/sharedDashboards.ts";
import type { Caller } from "../call/caller.ts";
import type { EveryField } from "../call/everyField.ts";
import { ApiError } from "../errors/errors.ts";
import type { SharedDashboardInit } from "../gen/lookout/services.ts";
import { SegmentFilterSchema } from "../gen/lookout/v1/segments_pb.ts";
import type { SharedDashboardSchema } from "../gen/lookout/v1/shared_dashboards_pb.ts";
import { epochMs } from "../store/postgres/epochMs.ts";
import { findLiveWebsite } from "../websites/findWebsite.ts";

/** A row of the table shared_dashboards. Times are Unix ms. */
export type ShareRow = SharedDashboard & { readonly name: string; readonly createdAtMs: number };

/** Columns of the table shared_dashboards, as a ShareRow names them. */
export const shareColumns = `${sharedDashboardColumns}, name, ${epochMs("created_at")} AS "createdAtMs"`;

/**
 * A shared dashboard of a live website that the caller may use, locked until the transaction ends. Rejects with NOT_FOUND, with the
 * same text for what does not exist and what belongs to others.
 */
export async function lockShare(
  client: Pick<Pool, "query">,
  id: string,
  caller: Caller | undefined,
): Promise<ShareRow> {
  const { rows } = await client.query<ShareRow>(
    `SELECT ${shareColumns} FROM shared_dashboards WHERE id = $1 FOR UPDATE`,
    [id],
  );
  const [share] = rows;
  if (share === undefined) throw missing();
  await findLiveWebsite(client, share.websiteId, caller).catch((error: unknown) => {
    throw error instanceof ApiError ? missing() : error;
  });
  return share;
}

function missing(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "There is no such shared dashboard, or your credentials do not reach it. GET /v1/shared-dashboards lists a website's",
  );
}

/** A shared dashboard as answers show it. */
export function shareMessage(share: ShareRow): SharedDashboardInit {
  return {
    id: share.id,
    websiteId: share.websiteId,
    name: share.name,
    types: [...share.types],
    filters: share.filters.map((filter) => fromJson(SegmentFilterSchema, filter)),
    origins: [...share.origins],
    expiresAt: expiryOf(share) ?? undefined,
    hasPassword: share.passwordHash !== null,
    createdAt: new Date(share.createdAtMs).toISOString(),
  } satisfies EveryField<typeof SharedDashboardSchema> as SharedDashboardInit;
}

/** A shared dashboard as the audit log records it. */
export function auditedShare(share: ShareRow): JsonObject {
  const { name, types, filters, origins, passwordHash } = share;
  return {
    name,
    types: [...types],
    filters: [...filters],
    origins: [...origins],
    expiresAt: expiryOf(share),
    isProtected: passwordHash !== null,
  };
}

function expiryOf({ expiresAtMs }: ShareRow): string | null {
  return expiresAtMs === null ? null : new Date(expiresAtMs).toISOString();
}
