import { createHash } from "node:crypto";

/** A preview has a dot where a page has its slug, so that it is never taken for one. */
export function previewSlug(token: string): string {
  return `preview.${token}`;
}

/** The secret of a preview's address; undefined for any other part of an address. */
export function previewToken(slug: string): string | undefined {
  return /^preview\.([\w-]{32})$/.exec(slug)?.[1];
}

/** What is stored of a secret: who reads the database cannot open the preview. */
export function previewHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
