import type { JsonObject } from "@bufbuild/protobuf";
import type { Pool } from "pg";
import { authRequired } from "../access/authorize.ts";
import type { CallContext } from "../call/callContext.ts";
import { validationError } from "../errors/errors.ts";
import type { AuditEntryInit, ListAuditLogReply } from "../gen/lookout/services.ts";
import type { ListAuditLogRequest } from "../gen/lookout/v1/audit_log_pb.ts";

type AuditRow = {
  /** bigint, which the driver returns as text. */
  readonly id: string;
  readonly at: Date;
  readonly actorType: string;
  readonly actorId: string;
  readonly actorName: string | null;
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly websiteId: string | null;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly requestId: string;
};

const defaultLimit = 100;

/** The highest bigint has 19 digits. */
const cursorText = /^[0-9]{1,18}$/;

/**
 * POST /audit/list: the organization's audit log, newest first, page by page. The order is stable, so a walk over the
 * pages sees each entry once. Rejects with VALIDATION_ERROR for an invalid cursor.
 */
export async function listAuditLog(
  request: ListAuditLogRequest,
  { app, caller }: CallContext<{ readonly postgres: Pool }>,
): Promise<ListAuditLogReply> {
  if (caller === undefined) throw authRequired();
  const { cursor } = request;
  if (cursor !== undefined && !cursorText.test(cursor))
    throw validationError([
      {
        field: "cursor",
        message: "must be the nextCursor of another page; leave it out to begin with the newest entry",
      },
    ]);
  const limit = request.limit ?? defaultLimit;
  const { rows } = await app.postgres.query<AuditRow>(
    `SELECT log.id, log.at, log.actor_type AS "actorType", log.actor_id AS "actorId", coalesce(keys.name, users.email) AS "actorName", log.action,
       log.object_type AS "objectType", log.object_id AS "objectId", log.website_id AS "websiteId", log.before, log.after,
       log.request_id AS "requestId"
     FROM audit_log log
       LEFT JOIN api_keys keys ON log.actor_type = 'api_key' AND keys.id = log.actor_id
       LEFT JOIN users ON log.actor_type = 'user' AND users.id = log.actor_id
     WHERE log.organization_id = $1 AND ($2::text[] IS NULL OR log.website_id = ANY($2))
       AND ($3::text IS NULL OR log.website_id = $3) AND ($4::text IS NULL OR log.object_id = $4)
       AND ($5::text IS NULL OR log.action = $5) AND ($6::bigint IS NULL OR log.id < $6)
     ORDER BY log.id DESC LIMIT $7`,
    [
      caller.organizationId,
      caller.websiteIds ?? null,
      request.websiteId ?? null,
      request.objectId ?? null,
      request.action ?? null,
      cursor ?? null,
      limit + 1,
    ],
  );
  const entries = rows.slice(0, limit);
  const last = entries.at(-1);
  return {
    entries: entries.map(entryMessage),
    ...(rows.length > limit && last !== undefined ? { nextCursor: last.id } : {}),
  };
}

function entryMessage(row: AuditRow): AuditEntryInit {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actorType: row.actorType,
    actorId: row.actorId,
    actorName: row.actorName ?? "",
    action: row.action,
    objectType: row.objectType,
    objectId: row.objectId,
    ...(row.websiteId === null ? {} : { websiteId: row.websiteId }),
    ...(row.before === null ? {} : { before: row.before }),
    ...(row.after === null ? {} : { after: row.after }),
    requestId: row.requestId,
  };
}
