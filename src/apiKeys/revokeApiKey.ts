import type { RevokeApiKeyReply } from "../gen/lookout/services.ts";
import type { RevokeApiKeyRequest } from "../gen/lookout/v1/api_keys_pb.ts";
import type { OnceCall } from "../idempotency/onceCall.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import { keyMessage, type StoredKey, storedKeyColumns } from "./apiKey.ts";
import { changeApiKey } from "./changeApiKey.ts";

/**
 * POST /api-keys/revoke: the key stops working, within CACHE_MS in every process. A revoked key stays as it is.
 * Rejects with NOT_FOUND.
 */
export async function revokeApiKey(request: RevokeApiKeyRequest, call: OnceCall): Promise<RevokeApiKeyReply> {
  const key = await inTransaction(call.app.postgres, (client) =>
    changeApiKey(client, request.id, call, "api_key.revoke", async (before) => {
      const { rows } = await client.query<StoredKey>(
        `UPDATE api_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING ${storedKeyColumns}`,
        [before.id],
      );
      return rows[0] ?? before;
    }),
  );
  return { apiKey: keyMessage(key) };
}
