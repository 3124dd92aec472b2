import type { SharedDashboards } from "../../access/sharedDashboards.ts";
import { within } from "../../concurrency/within.ts";

/** Which pages may frame the page of a shared dashboard: those of the origins that its owner allows. */
export type Framing = { originsOf(path: SharedPath): Promise<readonly string[]> };

/** The page of a shared dashboard: /shared/<website>/<dashboard>. */
export type SharedPath = { readonly websiteId: string; readonly dashboardId: string };

/** The dashboard that a path of the web app names, by the segments after its page; undefined for other pages. */
export function sharedPathOf(page: string | undefined, segments: readonly string[]): SharedPath | undefined {
  const [websiteId = "", dashboardId = "", ...rest] = segments;
  return page === "shared" && dashboardId !== "" && rest.length === 0 ? { websiteId, dashboardId } : undefined;
}

/** A page waits no longer for it than a person would notice; then no other page frames it. */
const limitMs = 1_000;

/** Framing by what PostgreSQL has of the dashboards. Never rejects: what is not known is not allowed. */
export function framingBy(dashboards: Pick<SharedDashboards, "find">): Framing {
  return {
    originsOf: async ({ websiteId, dashboardId }) => {
      const found = await within(limitMs, dashboards.find(dashboardId)).catch(() => undefined);
      return found?.websiteId === websiteId ? found.origins : [];
    },
  };
}

/** The headers of a page that these origins may frame: those of all pages but for what refuses a frame. */
export function framedHeaders(
  headers: Readonly<Record<string, string>>,
  origins: readonly string[],
): Readonly<Record<string, string>> {
  if (origins.length === 0) return headers;
  const { "x-frame-options": _, "content-security-policy": policy = "", ...others } = headers;
  const ancestors = `frame-ancestors ${origins.join(" ")}`;
  return { ...others, "content-security-policy": policy.replace("frame-ancestors 'none'", ancestors) };
}
