import { randomInt } from "node:crypto";
import { validationError } from "../../errors.ts";

/**
 * Words that no link may have as its slug, in whatever case: people take them for parts of the service, and a domain that shows links at
 * its root has paths of the service there.
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

/** Throws VALIDATION_ERROR for a slug that is a reserved word. The contract has checked its characters. */
export function requireAllowedSlug(slug: string): void {
  if (!isReserved(slug)) return;
  throw validationError([
    { field: "slug", message: "is a reserved word; choose another one", suggestion: `${slug}-link`.slice(0, 64) },
  ]);
}

export function isReserved(slug: string): boolean {
  return reserved.has(slug.toLowerCase());
}

/** Digits and small letters without 0, 1, i, l and o, which are mistaken for one another, and without u, so that no word is made of it. */
const alphabet = "23456789abcdefghjkmnpqrstvwxyz";

/** 30^7 are 22 billion: with a million links taken, one in 20,000 new ones meets another and is made again. */
const generatedLength = 7;

/** A new slug at random, from a source that nobody can foretell. */
export function generateSlug(length = generatedLength): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
