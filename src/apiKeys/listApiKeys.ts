import { authRequired } from "../access/authorize.ts";
import type { ListApiKeysReply } from "../gen/lookout/services.ts";
import type { ListApiKeysRequest } from "../gen/lookout/v1/api_keys_pb.ts";
import { keyMessage, reachedKeys, type StoredKey, storedKeyColumns } from "./apiKey.ts";
import type { ApiKeyCall } from "./apiKeyCall.ts";

/** POST /api-keys/list: the keys that the caller may change, newest first, including revoked and expired ones. */
export async function listApiKeys(
  _request: ListApiKeysRequest,
  { app, caller }: ApiKeyCall,
): Promise<ListApiKeysReply> {
  if (caller === undefined) throw authRequired();
  const { rows } = await app.postgres.query<StoredKey>(
    `SELECT ${storedKeyColumns} FROM api_keys WHERE ${reachedKeys} ORDER BY created_at DESC, id`,
    [caller.organizationId, caller.websiteIds ?? null],
  );
  return { apiKeys: rows.map(keyMessage), total: rows.length };
}
