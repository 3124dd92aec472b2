import type { PoolClient } from "pg";
import { ApiError } from "../../../errors/errors.ts";

/**
 * Reserves a slug for an organization, for good: a published address must never show the page of another organization.
 * Rejects with CONFLICT when another one has it.
 */
export async function claimSlug(client: PoolClient, slug: string, organizationId: string): Promise<void> {
  await client.query(
    "INSERT INTO status_page_slugs (slug, organization_id) VALUES ($1, $2) ON CONFLICT (slug) DO NOTHING",
    [slug, organizationId],
  );
  const { rows } = await client.query<{ organizationId: string }>(
    `SELECT organization_id AS "organizationId" FROM status_page_slugs WHERE slug = $1`,
    [slug],
  );
  if (rows[0]?.organizationId !== organizationId) throw slugTaken(slug);
}

/** Turns PostgreSQL's refusal of a slug that another page of the organization has into CONFLICT. */
export function explainConflict(error: unknown, slug: string | undefined): unknown {
  const isTaken = error instanceof Error && "constraint" in error && error.constraint === "status_pages_slug";
  return isTaken && slug !== undefined ? slugTaken(slug) : error;
}

function slugTaken(slug: string): ApiError {
  return new ApiError("CONFLICT", `The slug "${slug}" is taken. Choose another one`, {
    details: [{ field: "slug", message: "is taken" }],
  });
}
