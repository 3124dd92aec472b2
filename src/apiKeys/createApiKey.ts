import { randomUUID } from "node:crypto";
import { authRequired } from "../access/authorize.ts";
import { createKeyText, hashKeyText, shownPrefix } from "../access/keyText.ts";
import { requireWebsites } from "../access/requireWebsites.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { CreateApiKeyReply } from "../gen/lookout/services.ts";
import { ApiKeyService, type CreateApiKeyRequest } from "../gen/lookout/v1/api_keys_pb.ts";
import { type Commit, once } from "../idempotency/once.ts";
import type { OnceCall } from "../idempotency/onceCall.ts";
import { readName } from "../text/readName.ts";
import { readExpiry } from "../time/futureInstant.ts";
import { auditedKey, keyMessage, type StoredKey, storedKeyColumns } from "./apiKey.ts";
import { requireOwnScopes } from "./requireOwnScopes.ts";

/**
 * POST /api-keys/create: a key of the caller's organization. Its text is only in this answer.
 *
 * A key cannot have more scopes than its creator. Rejects with VALIDATION_ERROR, and with ACCESS_DENIED for scopes or
 * websites beyond the caller's.
 */
export const createApiKey = once(ApiKeyService.method.createApiKey, make);

async function make(
  request: CreateApiKeyRequest,
  call: OnceCall,
  commit: Commit<CreateApiKeyReply>,
): Promise<CreateApiKeyReply> {
  const { caller } = call;
  if (caller === undefined) throw authRequired();
  const name = readName(request.name);
  const scopes = [...new Set(request.scopes)];
  requireOwnScopes(scopes, caller);
  const expiresAt = readExpiry(request.expiresAt, "a key", Date.now());
  const text = createKeyText();
  const { reply } = await commit(
    async (client) => {
      const websiteIds = await requireWebsites(client, request.websiteIds, caller);
      const { rows } = await client.query<StoredKey>(
        `INSERT INTO api_keys (id, organization_id, name, key_hash, prefix, scopes, website_ids, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${storedKeyColumns}`,
        [
          randomUUID(),
          caller.organizationId,
          name,
          hashKeyText(text),
          shownPrefix(text),
          scopes,
          websiteIds ?? null,
          expiresAt,
        ],
      );
      const [made] = rows;
      if (made === undefined) throw new Error("PostgreSQL did not return the new key");
      await recordAudit(client, call, { action: "api_key.create", objectId: made.id, after: auditedKey(made) });
      return made;
    },
    (key) => ({ apiKey: keyMessage(key), key: text }),
  );
  return reply;
}
