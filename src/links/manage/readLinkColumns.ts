import { hashPassword } from "../../access/passwordHash.ts";
import { validationError } from "../../errors/errors.ts";
import type { CreateLinkRequest, UpdateLinkRequest } from "../../gen/lookout/v1/links_pb.ts";
import { isStorableText, unstorableText } from "../../text/isStorableText.ts";
import { parseDate, timeZoneOf } from "../../time/dates.ts";
import { readDomain } from "../../websites/readDomain.ts";
import { type Campaign, campaignMembers } from "../link.ts";
import { requireAllowedSlug } from "./slug.ts";
import { type OwnHosts, readTargetUrl } from "./targetUrl.ts";

/** Fields of these requests that name something and set nothing. */
type Naming = "$typeName" | "$unknown" | "id" | "websiteId" | "idempotencyKey";

/** The fields that a request to create or update a link may set. */
export type GivenLink = Partial<Omit<CreateLinkRequest, Naming> & Omit<UpdateLinkRequest, Naming>>;

/** The column of the table links for each of these fields. A field of the contract that has none does not compile. */
type ColumnOf = {
  readonly slug: "slug";
  readonly name: "name";
  readonly domain: "domain";
  readonly targetUrl: "target_url";
  readonly iosUrl: "ios_url";
  readonly androidUrl: "android_url";
  readonly desktopUrl: "desktop_url";
  readonly utm: "utm";
  readonly forwardQuery: "forward_query";
  readonly expiresAt: "expires_at";
  readonly expiredUrl: "expired_url";
  readonly clickLimit: "click_limit";
  readonly password: "password_hash";
};

/** Columns of the table links; undefined leaves a column unchanged. */
export type LinkColumns = {
  readonly [name in ColumnOf[keyof GivenLink]]: string | number | boolean | Date | null | undefined;
};

/**
 * Validates the fields of a request and turns them into columns. An empty text clears a column. Throws
 * VALIDATION_ERROR.
 */
export async function readLinkColumns(given: GivenLink, ownHosts: OwnHosts): Promise<LinkColumns> {
  const url = (text: string | undefined, field: string) =>
    unlessEmpty(text, (address) => readTargetUrl(address, field, ownHosts));
  if (given.slug !== undefined) requireAllowedSlug(given.slug);
  if (given.name !== undefined) requireStorable(given.name, "name");
  return {
    slug: given.slug,
    name: given.name?.trim(),
    domain: unlessEmpty(given.domain, readDomain),
    target_url: given.targetUrl === undefined ? undefined : readTargetUrl(given.targetUrl, "targetUrl", ownHosts),
    ios_url: url(given.iosUrl, "iosUrl"),
    android_url: url(given.androidUrl, "androidUrl"),
    desktop_url: url(given.desktopUrl, "desktopUrl"),
    utm: given.utm === undefined ? undefined : JSON.stringify(readCampaign(given.utm)),
    forward_query: given.forwardQuery,
    expires_at: unlessEmpty(given.expiresAt, readExpiry),
    expired_url: url(given.expiredUrl, "expiredUrl"),
    click_limit: given.clickLimit === 0 ? null : given.clickLimit,
    password_hash:
      given.password === undefined ? undefined : given.password === "" ? null : await hashPassword(given.password),
  };
}

function unlessEmpty<T>(text: string | undefined, read: (text: string) => T): T | null | undefined {
  return text === undefined ? undefined : text === "" ? null : read(text);
}

/** A date without a time means the end of that day, UTC. */
function readExpiry(text: string): Date {
  const zone = timeZoneOf("UTC");
  const instantMs = zone === undefined ? undefined : parseDate(text, "end", zone);
  if (instantMs !== undefined) return new Date(instantMs);
  throw validationError([
    {
      field: "expiresAt",
      message: "must be a day (YYYY-MM-DD) or an ISO 8601 date and time such as 2027-01-31T12:00:00Z",
    },
  ]);
}

function readCampaign(utm: NonNullable<GivenLink["utm"]>): Campaign {
  const members = campaignMembers.flatMap((name) => {
    const text = utm[name]?.trim() ?? "";
    requireStorable(text, `utm.${name}`);
    return text === "" ? [] : [[name, text]];
  });
  return Object.fromEntries(members);
}

function requireStorable(text: string, field: string): void {
  if (!isStorableText(text)) throw validationError([{ field, message: unstorableText }]);
}
