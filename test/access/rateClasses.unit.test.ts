import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { rateClassOf } from "../../src/access/rateLimit/limitCall.ts";
import { requirementOf } from "../../src/access/requirement.ts";
import { RateClass } from "../../src/gen/access/v1/rate_limit_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";

/** Those that read what is managed, and not what visitors did. */
const managing = `
  CheckInstallation GetDeletion GetExport GetHistory GetIncident GetLink GetMonitor GetOrganization GetSession GetStatus GetWebsite
  ListApiKeys ListAuditLog ListDeletions ListDeliveries ListExports ListIncidents ListInvitations ListLinks
  ListMaintenanceWindows ListMembers ListMonitors ListNotificationChannels ListOrganizations ListRecentChecks
  ListRetentionRuns ListSessions ListStatusPages ListStatusReports ListWebsites PreviewDeletion PreviewRetention
  WatchDeletion
`;

test("each call that reads counts as a query, or is known to count as a managing call", () => {
  const reading = services
    .flatMap(({ methods }) => methods)
    .filter(({ idempotency }) => idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
    // Calls that are open to everybody are not counted.
    .filter((method) => rateClassOf(method) === RateClass.UNSPECIFIED && !requirementOf(method).open);
  expect(reading.map(({ name }) => name).sort()).toEqual(managing.trim().split(/\s+/));
});
