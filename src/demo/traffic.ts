import { dayMs, hourMs } from "../time/utcDay.ts";
import { SeededRandom } from "./randomOf.ts";
import { campaigns, devices, entries, errors, hourWeights, pageAt, places, referrers } from "./trafficFacts.ts";

/** What the visitors of one day sent, in the forms of POST /batch, /vitals and /errors, and its deploys in that of POST /track. */
type DayTraffic = {
  readonly events: object[];
  readonly vitals: object[];
  readonly errors: object[];
  readonly deploys: object[];
};

/** Sessions on an average working day. */
const sessionsADay = 110;

/**
 * The traffic of a day that begins at `startMs`, `daysAgo` days ago, up to `untilMs`: the same for the same day. Less on
 * weekends and at night, slowly growing, more on the days of a newsletter.
 */
export function trafficOf(startMs: number, daysAgo: number, untilMs: number): DayTraffic {
  const random = new SeededRandom(`lookout demo ${startMs}`);
  const weekday = new Date(startMs).getUTCDay();
  const isNewsletter = weekday === 2 && Math.floor(startMs / dayMs / 7) % 2 === 0;
  const ofWeekday = weekday === 0 ? 0.5 : weekday === 6 ? 0.6 : 1;
  const ofGrowth = 1.25 - daysAgo / 150;
  const count = Math.round(
    sessionsADay * ofWeekday * ofGrowth * (0.85 + 0.3 * random.next()) * (isNewsletter ? 1.5 : 1),
  );
  const day: DayTraffic = { events: [], vitals: [], errors: [], deploys: [] };
  for (let index = 0; index < count; index += 1) addSession(day, random, startMs, untilMs, index, isNewsletter);
  day.deploys.push(...deployOf(startMs, untilMs));
  return day;
}

/** Every second Thursday a release, marked as examples/python/mark_deploy.py does. */
function deployOf(startMs: number, untilMs: number): object[] {
  const number = startMs / dayMs;
  const timestamp = startMs + 9 * hourMs;
  // 1970-01-01 was a Thursday.
  if (number % 14 !== 0 || timestamp >= untilMs) return [];
  const version = `2.${(number / 14) % 100}.0`;
  return [{ eventId: `deploy-${version}`, name: "deploy", timestamp, properties: { version } }];
}

function addSession(
  day: DayTraffic,
  random: SeededRandom,
  startMs: number,
  untilMs: number,
  index: number,
  isNewsletter: boolean,
): void {
  const hour = random.pick(hourWeights.map((weight, at) => [weight, at] as const));
  let atMs = startMs + hour * hourMs + random.below(hourMs);
  const device = random.pick(devices);
  const place = random.pick(places);
  const campaign = random.pick(campaigns(isNewsletter));
  const referrer = campaign === undefined ? random.pick(referrers) : "";
  // One visitor in six has been here before on this day.
  const visitor = `demo-${startMs / dayMs}-${random.chance(0.16) ? random.below(Math.max(1, index)) : index}`;
  const sessionId = `${visitor}-${index}`;
  const common = { anonymousId: visitor, sessionId, ...device, ...place };
  const length = random.chance(0.42) ? 1 : 2 + random.below(6);
  let path = random.pickName(entries);
  let number = 0;
  const add = (more: object): void => {
    number += 1;
    if (atMs < untilMs) day.events.push({ eventId: `${sessionId}-${number}`, timestamp: atMs, ...common, ...more });
  };
  for (let view = 0; view < length; view += 1) {
    const { title, events, next } = pageAt(path);
    add({ name: "page_view", path, title, ...(view === 0 ? { referrer, ...campaign } : {}), page_count: view + 1 });
    if (random.chance(0.2)) addVitals(day, random, { ...common, path, timestamp: atMs }, atMs < untilMs);
    // What is later than `untilMs` takes its random numbers as well, so that a day goes on as it began.
    const error = random.chance(0.006) ? random.pick(errors) : undefined;
    if (error !== undefined && atMs < untilMs) day.errors.push({ ...error, ...common, path, timestamp: atMs });
    const onPageMs = length === 1 ? 800 + random.below(9_000) : 4_000 + Math.round(random.next() ** 2 * 180_000);
    for (const event of events) {
      if (!random.chance(event.share)) continue;
      atMs += 2_000;
      add({ name: event.name, path, properties: event.properties(random) });
    }
    atMs += onPageMs;
    const scroll = Math.round(20 + random.next() * 80);
    add({ name: "page_exit", path, time_on_page: onPageMs / 1_000, scroll_depth: scroll });
    path = random.pickName(next);
  }
}

function addVitals(day: DayTraffic, random: SeededRandom, common: object, isPast: boolean): void {
  const slow = random.next() ** 3;
  for (const [metricName, metricValue] of [
    ["FCP", 500 + 2_600 * slow],
    ["LCP", 900 + 4_200 * slow],
    ["CLS", 0.02 + 0.25 * random.next() ** 4],
    ["INP", 60 + 420 * random.next() ** 3],
    ["TTFB", 80 + 900 * slow],
  ] as const)
    if (isPast) day.vitals.push({ ...common, metricName, metricValue: Math.round(metricValue * 1_000) / 1_000 });
}
