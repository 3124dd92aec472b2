import { randomUUID } from "node:crypto";
import type pg from "pg";
import { createKeyText, hashKeyText, shownPrefix } from "../../../src/access/keyText.ts";
import { type Scope, scopes } from "../../../src/call/caller.ts";
import { inDatabase } from "../stores/inDatabase.ts";

/** A website of its own organization, with a key. */
export type TestWebsite = {
  websiteId: string;
  clientId: string;
  organizationId: string;
  apiKey: string;
};

type Options = {
  publicAccess?: boolean;
  domain?: string;
  timezone?: string;
  deleted?: boolean;
  /** The day of its first event (YYYY-MM-DD) in its time zone, of which ingestion takes note: none by default, so that all days are unknown. */
  firstEventOn?: string;
  scopes?: readonly Scope[];
  /** Another database than that of all tests. */
  databaseUrl?: string;
};

/** Creates a website for one test, so that tests never see one another's events. */
export async function createWebsite(options: Options = {}): Promise<TestWebsite> {
  const organizationId = randomUUID();
  const websiteId = randomUUID();
  const clientId = randomUUID();
  await inDatabase(async (database) => {
    await database.query("INSERT INTO organizations (id, name) VALUES ($1, 'Test')", [organizationId]);
    await database.query(
      `INSERT INTO websites (id, client_id, organization_id, name, domain, timezone, public_access, deleted_at, first_event_at)
       VALUES ($1, $2, $3, 'Test', $4, $5::text, $6, $7, $8::timestamp AT TIME ZONE $5::text)`,
      [
        websiteId,
        clientId,
        organizationId,
        options.domain ?? "example.com",
        options.timezone ?? "UTC",
        options.publicAccess ?? false,
        options.deleted ? new Date() : null,
        options.firstEventOn ?? null,
      ],
    );
  }, options.databaseUrl);
  const apiKey = await createKey({ organizationId, scopes: options.scopes, databaseUrl: options.databaseUrl });
  return { websiteId, clientId, organizationId, apiKey };
}

type KeyOptions = {
  organizationId: string;
  scopes?: readonly Scope[] | undefined;
  websiteIds?: readonly string[];
  expired?: boolean;
  revoked?: boolean;
  databaseUrl?: string | undefined;
};

/** Creates a key, by default with every scope. */
export async function createKey(options: KeyOptions): Promise<string> {
  const key = createKeyText();
  const insert = (database: pg.Client) =>
    database.query(
      `INSERT INTO api_keys (id, organization_id, name, key_hash, prefix, scopes, website_ids, expires_at, revoked_at)
       VALUES ($1, $2, 'Test', $3, $4, $5, $6, $7, $8)`,
      [
        randomUUID(),
        options.organizationId,
        hashKeyText(key),
        shownPrefix(key),
        [...(options.scopes ?? scopes)],
        options.websiteIds ?? null,
        options.expired ? new Date(0) : null,
        options.revoked ? new Date(0) : null,
      ],
    );
  await inDatabase(insert, options.databaseUrl);
  return key;
}
