import { type Website, websiteColumns } from "../access/websiteDirectory.ts";
import type { WebsiteInit } from "../gen/lookout/services.ts";
import type { StoredRules } from "../ingest/rules/storedRules.ts";
import { type OwnPeriods, type PendingRetention, retentionOf } from "../retention/periods.ts";
import { shownKinds } from "../retention/shownKinds.ts";
import { epochMs } from "../store/postgres/epochMs.ts";
import { rulesMessage } from "./readRules.ts";
import { funnelsOf, goalsWith, type StoredGoals } from "./storedGoals.ts";
import type { TrackingStatus } from "./trackingStatuses.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/** All columns of a website. `pendingRetention` is null when no shorter period is pending. */
export type StoredWebsite = Website &
  OwnPeriods & {
    readonly updatedAtMs: number;
    readonly pendingRetention: PendingRetention | null;
    readonly goals: StoredGoals;
    readonly tags: readonly string[];
    readonly rules: StoredRules;
  };

/** Columns of the table websites, as a StoredWebsite names them. */
export const storedWebsiteColumns = `${websiteColumns}, ${epochMs("updated_at")} AS "updatedAtMs",
  raw_events_days AS "rawEventsDays", aggregated_days AS "aggregatedDays", performance_days AS "performanceDays",
  custom_events_days AS "customEventsDays", pending_retention AS "pendingRetention", goals, tags, rules`;

/** A website as answers show it (specification part 2), with its retention periods. */
export function websiteMessage(
  website: StoredWebsite,
  trackingStatus: TrackingStatus,
  { app }: WebsiteCall,
): WebsiteInit {
  const retention = retentionOf(website, app.config.retention);
  const { createdAtMs, updatedAtMs, deletedAtMs, pendingRetention: pending } = website;
  return {
    id: website.id,
    clientId: website.clientId,
    organizationId: website.organizationId,
    domain: website.domain,
    name: website.name,
    timezone: website.timezone,
    publicAccess: website.publicAccess,
    trackingStatus,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
    ...(deletedAtMs === null ? {} : { deletedAt: new Date(deletedAtMs).toISOString() }),
    retention,
    ...(pending === null
      ? {}
      : {
          pendingRetention: {
            retention: { ...retention, ...pending.periods },
            effectiveAt: new Date(pending.effectiveAtMs).toISOString(),
            wouldErase: shownKinds(pending.wouldErase, website.privacy),
          },
        }),
    goals: goalsWith(website.goals.goals, funnelsOf(website.goals)),
    paths: { trailingSlash: website.paths.trailingSlash, queryParameters: [...website.paths.queryParameters] },
    tags: { names: [...website.tags] },
    rules: rulesMessage(website.rules),
    privacy: { ...website.privacy },
  };
}
