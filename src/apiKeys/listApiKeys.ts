import { authRequired } from "../access/authorize.ts";
import { pageOf, rowsToRead } from "../call/listPage.ts";
import type { ListApiKeysReply } from "../gen/lookout/services.ts";
import type { ListApiKeysRequest } from "../gen/lookout/v1/api_keys_pb.ts";
import type { OnceCall } from "../idempotency/onceCall.ts";
import { keyMessage, reachedKeys, type StoredKey, storedKeyColumns } from "./apiKey.ts";

/** POST /api-keys/list: the keys that the caller may change, newest first, including revoked and expired ones. Rejects with VALIDATION_ERROR (the cursor). */
export async function listApiKeys(request: ListApiKeysRequest, { app, caller }: OnceCall): Promise<ListApiKeysReply> {
  if (caller === undefined) throw authRequired();
  const values = [caller.organizationId, caller.websiteIds ?? null];
  const { rows } = await app.postgres.query<StoredKey>(
    `SELECT ${storedKeyColumns} FROM api_keys WHERE ${reachedKeys} AND ($3::text IS NULL OR ${isAfter("$3")})
     ORDER BY created_at DESC, id LIMIT $4`,
    [...values, request.cursor ?? null, rowsToRead(request)],
  );
  const listed = { table: "api_keys", owner: "organization_id", where: reachedKeys, values } as const;
  const { page, total, next } = await pageOf(rows, request, listed, app.postgres);
  return { apiKeys: page.map(keyMessage), total, ...next };
}

/** Whether a key comes after another one in the list. */
function isAfter(id: string): string {
  const created = `(SELECT created_at FROM api_keys WHERE id = ${id})`;
  return `(created_at < ${created} OR (created_at = ${created} AND id > ${id}))`;
}
