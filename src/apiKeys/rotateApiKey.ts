import type { PoolClient } from "pg";
import { authRequired } from "../access/authorize.ts";
import { createKeyText, hashKeyText, shownPrefix } from "../access/keyText.ts";
import { ApiError } from "../errors/errors.ts";
import type { RotateApiKeyReply } from "../gen/lookout/services.ts";
import { ApiKeyService, type RotateApiKeyRequest } from "../gen/lookout/v1/api_keys_pb.ts";
import { type Commit, once } from "../idempotency/once.ts";
import type { OnceCall } from "../idempotency/onceCall.ts";
import { keyMessage, type StoredKey, storedKeyColumns } from "./apiKey.ts";
import { changeApiKey } from "./changeApiKey.ts";
import { requireOwnScopes } from "./requireOwnScopes.ts";

/**
 * POST /api-keys/rotate: gives a key a new text, which is only in this answer. The old text stops working, within
 * CACHE_MS in every process. Rejects with NOT_FOUND, with ACCESS_DENIED for a key with more scopes than the caller,
 * and with CONFLICT for a revoked or expired one: a new text would not revive it.
 */
export const rotateApiKey = once(ApiKeyService.method.rotateApiKey, make);

async function make(
  request: RotateApiKeyRequest,
  call: OnceCall,
  commit: Commit<RotateApiKeyReply>,
): Promise<RotateApiKeyReply> {
  const { caller } = call;
  if (caller === undefined) throw authRequired();
  const text = createKeyText();
  const rotate = (client: PoolClient) =>
    changeApiKey(client, request.id, call, "api_key.rotate", async (before) => {
      requireOwnScopes(before.scopes, caller);
      const { rows } = await client.query<StoredKey>(
        `UPDATE api_keys SET key_hash = $2, prefix = $3
       WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) RETURNING ${storedKeyColumns}`,
        [before.id, hashKeyText(text), shownPrefix(text)],
      );
      const [rotated] = rows;
      if (rotated === undefined)
        throw new ApiError("CONFLICT", "This API key was revoked or has expired. Create a new one instead");
      return rotated;
    });
  const { reply } = await commit(rotate, (key) => ({ apiKey: keyMessage(key), key: text }));
  return reply;
}
