import { authRequired, isPublic, mayUse } from "../../access/authorize.ts";
import { keptAfterDeletionMs, type Website } from "../../access/websiteDirectory.ts";
import { ApiError, audienceOnly } from "../../errors/errors.ts";
import type { QueryRequest } from "../../gen/lookout/v1/query_pb.ts";
import { findMonitor } from "../../uptime/monitor/findMonitor.ts";
import type { AudienceWebsites } from "../daily/audience.ts";
import type { QueryCall } from "../queryCall.ts";

/** The websites a request may read. `publicOnly`: only the query types of a public dashboard. */
export type Project = {
  readonly websiteIds: readonly string[];
  /**
   * Set when the request is for an organization and the caller may read all of it, including rows of none of its
   * websites.
   */
  readonly organizationId?: string | undefined;
  /** Set when the request is for one monitor of the website. */
  readonly monitorId?: string | undefined;
  /** Set when the request is for one short link of the organization. */
  readonly linkId?: string | undefined;
  readonly publicOnly: boolean;
  /** Those of the websites that measure their audience only. */
  readonly audience: AudienceWebsites;
  /** Of these only some, for readers of a shared dashboard. */
  readonly types?: readonly string[];
};

/**
 * What a request is for: its link, monitor, website, websites or organization, the first that is given. An organization
 * must be the caller's own, even if another one of them is given.
 *
 * Throws MISSING_PROJECT_ID without any, and ACCESS_DENIED, with the same text for what does not exist and what belongs
 * to others, so that callers cannot find out which ids exist.
 */
export async function resolveProject(request: QueryRequest, call: QueryCall): Promise<Project> {
  const { websiteId, scheduleId, linkId, organizationId, websiteIds } = request;
  if (websiteId === "" && scheduleId === "" && linkId === "" && organizationId === "" && websiteIds.length === 0)
    throw new ApiError(
      "MISSING_PROJECT_ID",
      "Send website_id, website_ids, schedule_id, link_id or organization_id to say what to query; over JSON in the query string",
    );
  // Without credentials only the public dashboard of one website can be queried.
  const isMore = linkId !== "" || scheduleId !== "" || organizationId !== "" || websiteIds.length > 0;
  if (call.caller === undefined && (isMore || websiteId === "")) throw authRequired();
  if (organizationId !== "" && call.caller?.organizationId !== organizationId) throw accessDenied();
  if (linkId !== "") return linkProject(linkId, call);
  if (scheduleId !== "") return monitorProject(scheduleId, call);
  if (websiteId !== "") return websiteProject(websiteId, call);
  return websiteIds.length > 0 ? websitesProject(websiteIds, call) : organizationProject(organizationId, call);
}

/** Several websites of the caller's organization, each of which it may read. Rejects with ACCESS_DENIED. */
export async function websitesProject(websiteIds: readonly string[], { app, caller }: QueryCall): Promise<Project> {
  if (caller === undefined) throw authRequired();
  const listed = await app.websites.list(caller.organizationId, caller.websiteIds);
  const readable = new Map(listed.map((website) => [website.id, website]));
  const ids = [...new Set(websiteIds.map((id) => id.toLowerCase()))];
  const websites = ids.map((id) => readable.get(id) ?? refuse());
  return { websiteIds: ids, audience: audienceOf(websites), publicOnly: false };
}

/** One website, for a caller who may read it, or for its public types. Rejects with ACCESS_DENIED. */
export async function websiteProject(websiteId: string, call: QueryCall): Promise<Project> {
  const website = await findWebsite(websiteId, call);
  if (website === undefined) throw accessDenied();
  if (call.shared !== undefined) {
    if (call.shared.websiteId !== website.id || website.deletedAtMs !== null) throw accessDenied();
    return { websiteIds: [website.id], audience: audienceOf([website]), publicOnly: true, types: call.shared.types };
  }
  const found = { websiteIds: [website.id], audience: audienceOf([website]) };
  if (call.caller !== undefined && mayUse(call.caller, website)) return { ...found, publicOnly: false };
  if (isPublic(website)) return { ...found, publicOnly: true };
  throw accessDenied();
}

/**
 * The same for calls that answer from all rows of the website; `reason` is the sentence about what they are. Rejects with CONFLICT for a
 * website that measures its audience only.
 */
export async function websiteOfRows(websiteId: string, reason: string, call: QueryCall): Promise<Project> {
  const project = await websiteProject(websiteId, call);
  if (project.audience.size > 0) throw audienceOnly(reason);
  return project;
}

function audienceOf(websites: readonly Website[]): AudienceWebsites {
  const some = websites.filter(({ privacy }) => privacy.audienceOnly);
  return new Map(some.map(({ id, privacy }) => [id, privacy.smallestGroup]));
}

function refuse(): never {
  throw accessDenied();
}

/** One monitor, of whose website nothing but checks is asked, for a caller who may read it. Rejects with ACCESS_DENIED. */
async function monitorProject(scheduleId: string, call: QueryCall): Promise<Project> {
  const monitor = await findMonitor(scheduleId, call).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === "NOT_FOUND" ? accessDenied() : error;
  });
  return { websiteIds: [monitor.websiteId], monitorId: monitor.id, audience: new Map(), publicOnly: false };
}

/** One short link, including deleted ones, of which nothing but clicks is asked, for a caller who may read it. Rejects with ACCESS_DENIED. */
export async function linkProject(linkId: string, { app, caller }: QueryCall): Promise<Project> {
  const link = caller === undefined ? undefined : await app.findClickedLink(linkId, caller);
  if (link === undefined) throw accessDenied();
  const websiteIds = link.websiteId === null ? [] : [link.websiteId];
  return { websiteIds, linkId: link.id, audience: new Map(), publicOnly: false };
}

export async function organizationProject(organizationId: string, { app, caller }: QueryCall): Promise<Project> {
  if (caller === undefined || caller.organizationId !== organizationId) throw accessDenied();
  const websites = await app.websites.list(organizationId, caller.websiteIds);
  return {
    websiteIds: websites.map(({ id }) => id),
    organizationId: caller.websiteIds === undefined ? organizationId : undefined,
    audience: audienceOf(websites),
    publicOnly: false,
  };
}

async function findWebsite(websiteId: string, call: QueryCall): Promise<Website | undefined> {
  const website = await call.app.websites.find(websiteId);
  const isGone = website?.deletedAtMs != null && website.deletedAtMs + keptAfterDeletionMs <= Date.now();
  return isGone ? undefined : website;
}

export function accessDenied(): ApiError {
  return new ApiError(
    "ACCESS_DENIED",
    "This does not exist or your credentials do not reach it. GET /v1/query/websites lists what they reach",
  );
}
