import type { JsonObject } from "@bufbuild/protobuf";
import type { Pool } from "pg";
import type { Caller } from "../call/caller.ts";
import { ApiError } from "../errors/errors.ts";
import type { ApiKeyInit } from "../gen/lookout/services.ts";

/** A row of the table api_keys, without its hash. */
export type StoredKey = {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** Null: all websites of the organization. */
  readonly websiteIds: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
};

/** Columns of the table api_keys, as a StoredKey names them. */
export const storedKeyColumns = `id, name, prefix, scopes, website_ids AS "websiteIds", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`;

/**
 * The condition for the keys that a caller may see and change, with `$1` its organization and `$2` the websites it is
 * limited to: a caller limited to websites may use only keys that are limited to some of these.
 */
export const reachedKeys = "organization_id = $1 AND ($2::text[] IS NULL OR website_ids <@ $2)";

/**
 * Finds a key and locks it until the transaction ends. Rejects with NOT_FOUND, with the same text for what does not
 * exist and what belongs to others.
 */
export async function lockKey(client: Pick<Pool, "query">, id: string, caller: Caller): Promise<StoredKey> {
  const { rows } = await client.query<StoredKey>(
    `SELECT ${storedKeyColumns} FROM api_keys WHERE ${reachedKeys} AND id = $3 FOR NO KEY UPDATE`,
    [caller.organizationId, caller.websiteIds ?? null, id],
  );
  const key = rows[0];
  if (key === undefined)
    throw new ApiError(
      "NOT_FOUND",
      "There is no such API key, or your credentials do not reach it. POST /api-keys/list lists those they reach",
    );
  return key;
}

export function keyMessage(key: StoredKey): ApiKeyInit {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    websiteIds: [...(key.websiteIds ?? [])],
    createdAt: key.createdAt.toISOString(),
    ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt.toISOString() }),
    ...(key.revokedAt === null ? {} : { revokedAt: key.revokedAt.toISOString() }),
    ...(key.lastUsedAt === null ? {} : { lastUsedAt: key.lastUsedAt.toISOString() }),
  };
}

/** A key as the audit log records it. */
export function auditedKey(key: StoredKey): JsonObject {
  return {
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    websiteIds: key.websiteIds === null ? null : [...key.websiteIds],
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}
