import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { scopes } from "../call/caller.ts";
import { createKeyText, hashKeyText, shownPrefix } from "./keyText.ts";

/** Inserts a key of an organization that has every scope and all websites. `text` is not stored. */
export async function insertFullKey(
  client: PoolClient,
  organizationId: string,
  name: string,
): Promise<{ readonly id: string; readonly text: string }> {
  const id = randomUUID();
  const text = createKeyText();
  await client.query(
    "INSERT INTO api_keys (id, organization_id, name, key_hash, prefix, scopes) VALUES ($1, $2, $3, $4, $5, $6)",
    [id, organizationId, name, hashKeyText(text), shownPrefix(text), [...scopes]],
  );
  return { id, text };
}
