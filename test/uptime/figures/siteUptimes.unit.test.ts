import { expect, test } from "vitest";
import { type Monitoring, siteUptimes } from "../../../src/uptime/figures/siteUptime.ts";

test("of many websites each monitor is looked at once, and each website gets its own monitors and incidents", () => {
  let reads = 0;
  const monitors = Array.from({ length: 100 }, (_, index) => ({
    id: `monitor ${index}`,
    status: "paused",
    options: { name: `Name ${index}` },
    get websiteId() {
      reads += 1;
      return `website ${index % 50}`;
    },
  }));
  const incidents = [{ id: "monitor 57/1", monitorId: "monitor 57", startedMs: 1 }];
  const monitoring = { monitors, incidents, windows: [], nowMs: 2 } as unknown as Monitoring;
  const uptimeOf = siteUptimes(monitoring, new Map());
  const uptimes = Array.from({ length: 51 }, (_, index) => uptimeOf(`website ${index}`));
  expect(uptimes[6]).toEqual({ state: "paused", inState: 2, monitors: 2, incidents: [] });
  expect(uptimes[7]).toMatchObject({ incidents: [{ monitorId: "monitor 57", monitorName: "Name 57", startedMs: 1 }] });
  expect(uptimes[50]).toEqual({ state: "none", inState: 0, monitors: 0, incidents: [] });
  expect(reads).toBeLessThanOrEqual(monitors.length + incidents.length);
});
