import type { PoolClient } from "pg";
import { ApiError } from "../../../errors/errors.ts";

/**
 * Reserves a slug for an organization, for good: a published address must never show the page of another organization.
 * Rejects with CONFLICT when another one has it.
 */
export async function claimSlug(client: PoolClient, slug: string, organizationId: string): Promise<void> {
  // Without a change the row would not be returned.
  const { rows } = await client.query<{ organizationId: string }>(
    `INSERT INTO status_page_slugs AS claimed (slug, organization_id) VALUES ($1, $2)
     ON CONFLICT (slug) DO UPDATE SET slug = claimed.slug RETURNING organization_id AS "organizationId"`,
    [slug, organizationId],
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
