import type { JsonObject } from "@bufbuild/protobuf";
import type { EveryField } from "../call/everyField.ts";
import type { LinkInit } from "../gen/lookout/services.ts";
import type { LinkSchema } from "../gen/lookout/v1/links_pb.ts";
import { epochMs } from "../store/postgres/epochMs.ts";

/** Campaign parameters that are added to the target's address, in the usual order. */
export const campaignMembers = ["source", "medium", "campaign", "term", "content"] as const;

export type Campaign = { readonly [name in (typeof campaignMembers)[number]]?: string };

/** A short link as stored in PostgreSQL. Times are Unix ms; null where it has no value. */
export type Link = {
  readonly id: string;
  readonly organizationId: string;
  readonly websiteId: string | null;
  readonly slug: string;
  readonly name: string;
  readonly domain: string | null;
  readonly targetUrl: string;
  /** The website of the organization that the target is on. */
  readonly targetWebsiteId: string | null;
  readonly iosUrl: string | null;
  readonly androidUrl: string | null;
  readonly desktopUrl: string | null;
  readonly utm: Campaign;
  /** Whether the query of the short link's address goes to the target. */
  readonly forwardQuery: boolean;
  readonly expiresAtMs: number | null;
  readonly expiredUrl: string | null;
  readonly clickLimit: number | null;
  /** Clicks that count towards the limit. */
  readonly limitedClicks: number;
  readonly passwordHash: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly deletedAtMs: number | null;
};

/** How each field of a Link is read from the table links: a field that is left out here does not compile. */
const columnOf: Readonly<Record<keyof Link, string>> = {
  id: "links.id",
  organizationId: "links.organization_id",
  websiteId: "links.website_id",
  slug: "links.slug",
  name: "links.name",
  domain: "links.domain",
  targetUrl: "links.target_url",
  targetWebsiteId: "links.target_website_id",
  iosUrl: "links.ios_url",
  androidUrl: "links.android_url",
  desktopUrl: "links.desktop_url",
  utm: "links.utm",
  forwardQuery: "links.forward_query",
  expiresAtMs: epochMs("links.expires_at"),
  expiredUrl: "links.expired_url",
  clickLimit: "links.click_limit",
  limitedClicks: "links.limited_clicks",
  passwordHash: "links.password_hash",
  createdAtMs: epochMs("links.created_at"),
  updatedAtMs: epochMs("links.updated_at"),
  deletedAtMs: epochMs("links.deleted_at"),
};

/** Columns of the table links, as a Link names them. */
export const linkColumns = Object.entries(columnOf)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(", ");

/** The address of a link. A domain of its own points to this service, so the path is the same. */
export function shortUrlOf({ slug, domain }: Pick<Link, "slug" | "domain">, baseUrl: string): string {
  return domain === null ? `${baseUrl}/l/${slug}` : `https://${domain}/l/${slug}`;
}

/** A link as answers show it; `clicks` is undefined where they could not be read. */
export function linkMessage(link: Link, clicks: number | undefined, baseUrl: string): LinkInit {
  return {
    id: link.id,
    organizationId: link.organizationId,
    slug: link.slug,
    name: link.name,
    shortUrl: shortUrlOf(link, baseUrl),
    targetUrl: link.targetUrl,
    clicks: clicks ?? 0,
    clicksKnown: clicks !== undefined,
    hasPassword: link.passwordHash !== null,
    utm: { ...link.utm },
    forwardQuery: link.forwardQuery,
    createdAt: new Date(link.createdAtMs).toISOString(),
    updatedAt: new Date(link.updatedAtMs).toISOString(),
    websiteId: link.websiteId ?? undefined,
    targetWebsiteId: link.targetWebsiteId ?? undefined,
    domain: link.domain ?? undefined,
    expiresAt: link.expiresAtMs === null ? undefined : new Date(link.expiresAtMs).toISOString(),
    expiredUrl: link.expiredUrl ?? undefined,
    clickLimit: link.clickLimit ?? undefined,
    iosUrl: link.iosUrl ?? undefined,
    androidUrl: link.androidUrl ?? undefined,
    desktopUrl: link.desktopUrl ?? undefined,
  } satisfies EveryField<typeof LinkSchema>;
}

/** A link as the audit log records it: the fields that a change of a link sets. */
export function auditedLink({
  id,
  organizationId,
  websiteId,
  targetWebsiteId,
  limitedClicks,
  createdAtMs,
  updatedAtMs,
  expiresAtMs,
  deletedAtMs,
  // The audit log hides the value of passwordHash: it shows that the password changed, never the hash.
  ...link
}: Link): JsonObject {
  const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return { ...link, utm: { ...link.utm }, expiresAt: timeOf(expiresAtMs), deletedAt: timeOf(deletedAtMs) };
}
