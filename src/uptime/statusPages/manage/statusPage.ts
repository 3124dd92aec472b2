import type { JsonObject } from "@bufbuild/protobuf";
import type { EveryField } from "../../../call/everyField.ts";
import type { StatusPageInit } from "../../../gen/lookout/services.ts";
import type { StatusPageSchema } from "../../../gen/lookout/v1/status_page_pb.ts";
import { epochMs } from "../../../store/postgres/epochMs.ts";

/** Monitors that a page shows together, in this order. */
export type StatusPageGroup = { readonly name: string; readonly monitorIds: readonly string[] };

/** A picture: the last part of its address, and its size in px. */
export type Logo = { readonly name: string; readonly width: number; readonly height: number };

/** A row of the table status_pages. Times are Unix ms. */
export type StatusPage = {
  readonly id: string;
  readonly websiteId: string;
  readonly slug: string;
  readonly title: string;
  readonly logoText: string;
  readonly description: string;
  readonly published: boolean;
  /** Empty: all monitors of the website. */
  readonly groups: readonly StatusPageGroup[];
  /** #rrggbb in lower case; empty for that of the service. */
  readonly accentColor: string;
  readonly logo: Logo | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** How each field of a StatusPage is read: a field that is left out here does not compile. */
const columnOf: Readonly<Record<keyof StatusPage, string>> = {
  id: "status_pages.id",
  websiteId: "status_pages.website_id",
  slug: "status_pages.slug",
  title: "status_pages.title",
  logoText: "status_pages.logo_text",
  description: "status_pages.description",
  published: "status_pages.published",
  groups: "status_pages.groups",
  accentColor: "status_pages.accent_color",
  logo: "status_pages.logo",
  createdAtMs: epochMs("status_pages.created_at"),
  updatedAtMs: epochMs("status_pages.updated_at"),
};

/** Columns of the table status_pages, as a StatusPage names them. */
export const statusPageColumns = Object.entries(columnOf)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(", ");

/** The address of a page. */
export function statusPageUrl({ slug }: Pick<StatusPage, "slug">, baseUrl: string): string {
  return `${baseUrl}/status/${slug}`;
}

/** A page as answers of the API show it. */
export function statusPageMessage(page: StatusPage, baseUrl: string): StatusPageInit {
  return {
    id: page.id,
    websiteId: page.websiteId,
    slug: page.slug,
    url: statusPageUrl(page, baseUrl),
    title: page.title,
    logoText: page.logoText,
    description: page.description,
    published: page.published,
    groups: page.groups.map(groupMessage),
    createdAt: new Date(page.createdAtMs).toISOString(),
    updatedAt: new Date(page.updatedAtMs).toISOString(),
    accentColor: page.accentColor,
    logoUrl: page.logo === null ? "" : `${baseUrl}/status/${page.logo.name}`,
  } satisfies EveryField<typeof StatusPageSchema>;
}

/** A page as the audit log records it: the fields that a change of a page sets. */
export function auditedPage({
  id,
  websiteId,
  createdAtMs,
  updatedAtMs,
  groups,
  logo,
  ...page
}: StatusPage): JsonObject {
  return { ...page, groups: groups.map(groupMessage), logo: logo?.name ?? "" };
}

function groupMessage({ name, monitorIds }: StatusPageGroup) {
  return { name, monitorIds: [...monitorIds] };
}
