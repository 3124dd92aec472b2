import type { Location } from "../ingest/location.ts";
import type { Agent } from "../ingest/userAgent.ts";
import type { RowOf } from "../store/tables.ts";
import type { Link } from "./link.ts";
import type { Target } from "./targets.ts";

/** Somebody who was led on. Its link, target, agent and place are those of many clicks, so they are told apart by the object that they are. */
export type Click = {
  /** Unix ms. */
  readonly timeMs: number;
  readonly eventKey: number;
  readonly visitorKey: number;
  readonly link: Pick<Link, "organizationId" | "id" | "websiteId">;
  readonly target: Pick<Target, "websiteId" | "path">;
  readonly agent: Pick<Agent, "browser" | "os" | "device">;
  readonly place: Location;
  readonly language: string | undefined;
  /** The host that it came from. */
  readonly source: string | undefined;
};

export type ClickRow = RowOf<"link_clicks">;

export function clickRow(click: Click): ClickRow {
  const { link, target, agent, place } = click;
  return {
    table: "link_clicks",
    tsUs: click.timeMs * 1_000,
    values: {
      organization_id: link.organizationId,
      website_id: link.websiteId ?? undefined,
      link_id: link.id,
      event_key: click.eventKey,
      visitor_key: click.visitorKey,
      country: place.country,
      region: place.region,
      city: place.city,
      browser: agent.browser,
      os: agent.os,
      device: agent.device,
      language: click.language,
      referrer_source: click.source,
      target_website_id: target.websiteId,
      target_path: target.path,
    },
  };
}
