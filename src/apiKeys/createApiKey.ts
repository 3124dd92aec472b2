import { randomUUID } from "node:crypto";
import { authRequired } from "../access/authorize.ts";
import { createKeyText, hashKeyText, shownPrefix } from "../access/keyText.ts";
import { requireWebsites } from "../access/requireWebsites.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { validationError } from "../errors/errors.ts";
import type { CreateApiKeyReply } from "../gen/lookout/services.ts";
import { ApiKeyService, type CreateApiKeyRequest } from "../gen/lookout/v1/api_keys_pb.ts";
import { type Commit, once } from "../idempotency/once.ts";
import { readName } from "../text/readName.ts";
import { auditedKey, keyMessage, type StoredKey, storedKeyColumns } from "./apiKey.ts";
import type { ApiKeyCall } from "./apiKeyCall.ts";
import { requireOwnScopes } from "./requireOwnScopes.ts";

/**
 * POST /api-keys/create: a key of the caller's organization. Its text is only in this answer.
 *
 * A key cannot have more scopes than its creator. Rejects with VALIDATION_ERROR, and with ACCESS_DENIED for scopes or
 * websites beyond the caller's.
 */
export function createApiKey(request: CreateApiKeyRequest, call: ApiKeyCall): Promise<CreateApiKeyReply> {
  return once(ApiKeyService.method.createApiKey, request, call, (commit) => make(request, call, commit));
}

async function make(
  request: CreateApiKeyRequest,
  call: ApiKeyCall,
  commit: Commit<CreateApiKeyReply>,
): Promise<CreateApiKeyReply> {
  const { caller } = call;
  if (caller === undefined) throw authRequired();
  const name = readName(request.name);
  const scopes = [...new Set(request.scopes)];
  requireOwnScopes(scopes, caller);
  const expiresAt = readExpiry(request.expiresAt, Date.now());
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

/** With a time zone, so that it does not depend on a clock; a date alone is easily mistaken for its end. */
const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** When a key expires; null for never. Throws VALIDATION_ERROR for an invalid instant, and for the past. */
function readExpiry(given: string | undefined, nowMs: number): Date | null {
  if (given === undefined || given === "") return null;
  const atMs = isoInstant.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(atMs))
    throw expiryError("must be an instant in ISO 8601 with its time zone, such as 2030-01-31T12:00:00Z");
  if (atMs <= nowMs)
    throw expiryError("lies in the past. Give a later instant, or leave it out for a key without an end");
  return new Date(atMs);
}

function expiryError(message: string) {
  return validationError([{ field: "expiresAt", message }]);
}
