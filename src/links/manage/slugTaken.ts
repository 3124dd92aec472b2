import type { Pool, PoolClient } from "pg";
import { ApiError } from "../../errors/errors.ts";
import { generateSlug, isReserved } from "./slug.ts";

const maxSlugLength = 64;

/** Whether a PostgreSQL error says that another live link has the slug. */
export function isSlugConflict(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === "links_live_slug";
}

/**
 * Whether a deleted link of another organization had the slug: published addresses must never redirect to the pages of
 * another organization. Checked after the link was written, in the same transaction, so that a simultaneous deletion
 * cannot slip through.
 */
export async function wasOfOtherOrganization(
  client: PoolClient,
  slug: string,
  organizationId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT 1 FROM links WHERE lower(slug) = lower($1) AND organization_id <> $2 LIMIT 1",
    [slug, organizationId],
  );
  return rowCount !== 0;
}

/** CONFLICT for a slug that is taken, with a similar free one. */
export async function slugTaken(slug: string, postgres: Pick<Pool, "query">): Promise<ApiError> {
  const suggestion = await freeSlugLike(slug, postgres);
  return new ApiError("CONFLICT", `The slug "${slug}" is taken. Choose another one, such as "${suggestion}"`, {
    details: [{ field: "slug", message: "is taken", suggestion }],
  });
}

async function freeSlugLike(slug: string, postgres: Pick<Pool, "query">): Promise<string> {
  const endings = [...["2", "3", "4", "5"], generateSlug(4)].map((ending) => `-${ending}`);
  const candidates = endings.map((ending) => slug.slice(0, maxSlugLength - ending.length) + ending);
  const { rows } = await postgres.query<{ slug: string }>(
    "SELECT DISTINCT lower(slug) AS slug FROM links WHERE lower(slug) = ANY($1)",
    [candidates.map((candidate) => candidate.toLowerCase())],
  );
  const taken = new Set(rows.map((row) => row.slug));
  const free = candidates.find((candidate) => !taken.has(candidate.toLowerCase()) && !isReserved(candidate));
  return free ?? generateSlug();
}
