import { randomInt } from "node:crypto";
import { validationError } from "../../errors/errors.ts";

/**
 * Words that no link may have as its slug, in any case: people would take them for parts of the service, and custom
 * domains serve links at the root, where they could clash with paths of the service.
 */
const reserved: ReadonlySet<string> = new Set(
  (
    "about abuse account accounts admin administrator analytics api apis app apps assets audit auth batch billing blog bot cdn config " +
    "console contact dashboard data delete docs download edit error errors events export exports favicon feedback flags forgot-password " +
    "ftp graphql guest health healthz help home host hostmaster identify index info internal invite invitations js l legal link links " +
    "llm login logout lookout mail me metrics monitor monitors new null oauth openapi organization organizations owner password ping " +
    "postmaster pricing privacy probe profile public qr query readyz register reset reset-password root search security settings " +
    "setup signin sign-in signout sign-out signup sign-up sitemap static stats status support sysadmin system team terms test track " +
    "tracker undefined update uptime upload user users v1 v2 verify vitals webhook webhooks webmaster website websites well-known www"
  ).split(" "),
);

/** Throws VALIDATION_ERROR for a slug that is a reserved word. The contract validates its characters. */
export function requireAllowedSlug(slug: string): void {
  if (!isReserved(slug)) return;
  throw validationError([
    { field: "slug", message: "is a reserved word; choose another one", suggestion: `${slug}-link`.slice(0, 64) },
  ]);
}

export function isReserved(slug: string): boolean {
  return reserved.has(slug.toLowerCase());
}

/** Digits and lower-case letters without 0, 1, i, l and o, which look alike, and without u, to avoid words. */
const alphabet = "23456789abcdefghjkmnpqrstvwxyz";

/** 30^7 are 22 billion: with a million links taken, one in 20,000 new slugs collides and is generated again. */
const generatedLength = 7;

/** A new random slug, from a cryptographically secure source. */
export function generateSlug(length = generatedLength): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
