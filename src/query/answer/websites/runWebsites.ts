import type { JsonObject } from "@bufbuild/protobuf";
import { timeZoneOf } from "../../../time/dates.ts";
import { dayMs } from "../../../time/utcDay.ts";
import { lastSlotsRange, readMonitoring } from "../../../uptime/figures/siteUptime.ts";
import { rangeOfPeriod } from "../../catalogue/fixedPeriod.ts";
import type { QueryType } from "../../catalogue/queryType.ts";
import type { AudienceWebsites } from "../../daily/audience.ts";
import { dailyZone } from "../../daily/planDaily.ts";
import { shownWebsites } from "../../daily/shownVisitors.ts";
import type { ParameterPlan } from "../../plan/parameterPlan.ts";
import type { QueryCall } from "../../queryCall.ts";
import { orderWebsites } from "../../shapes/websiteRows.ts";
import { visitFinder } from "../../visits/findVisits.ts";
import { unsettledRangesIn } from "../../visits/unsettledRanges.ts";
import type { CallReader } from "../callReader.ts";
import { runParameter } from "../runParameter.ts";
import { findWebsiteFacts, type WebsiteFacts } from "./websiteFacts.ts";

/** Whether a type has a row for each website that depends on more of it than its events. */
export function isOwnType({ shape }: QueryType): boolean {
  return /^websites_(today|trend|uptime)$/.test(shape.kind);
}

/** Answers such a type; days of websites that measure their audience only are those of UTC. Rejects with the driver's error. */
export async function runWebsites(
  plan: ParameterPlan,
  audience: AudienceWebsites,
  reader: CallReader,
  { app }: Pick<QueryCall, "app">,
): Promise<JsonObject[]> {
  const { type, offset, limit } = plan;
  const rows = await (type.shape.kind === "websites_uptime"
    ? runUptime(plan, reader, app)
    : runByZone(plan, audience, reader, app));
  // Before they are ordered: the order would tell what is hidden.
  return orderWebsites(type.shape, shownWebsites(rows, audience)).slice(offset, offset + limit);
}

async function runUptime(plan: ParameterPlan, reader: CallReader, app: QueryCall["app"]): Promise<JsonObject[]> {
  const monitoring = await readMonitoring(plan.websiteIds, Date.now(), app.postgres);
  const range = lastSlotsRange(monitoring);
  return runParameter({ ...plan, range, monitoring }, reader.over(range));
}

/** No day that these types read began longer ago: four weeks, and a day for time zones. */
const readDays = 30;

/** Each website has days of its own: those of one time zone are read together. */
async function runByZone(
  plan: ParameterPlan,
  audience: AudienceWebsites,
  reader: CallReader,
  app: QueryCall["app"],
): Promise<JsonObject[]> {
  const { type } = plan;
  const nowMs = Date.now();
  const read = { startMs: nowMs - readDays * dayMs, endMs: nowMs + 1 };
  const facts = await findWebsiteFacts(plan.websiteIds, read, app);
  const records = new Map(facts.map(({ id, record }) => [id, record]));
  const zoneOf = ({ id, timezone }: WebsiteFacts) => (audience.has(id) ? dailyZone.name : timezone);
  const answers = [...Map.groupBy(facts, zoneOf)].map(([name, ofZone]) => {
    const zone = timeZoneOf(name) ?? dailyZone;
    const websiteIds = ofZone.map(({ id }) => id);
    const range = type.period === undefined ? plan.range : rangeOfPeriod(type.period, nowMs, zone);
    const findVisits = visitFinder(unsettledRangesIn(app));
    return runParameter({ ...plan, zone, range, websiteIds, records }, reader.over(read), findVisits);
  });
  return (await Promise.all(answers)).flat();
}
