import type { ComponentChildren } from "preact";
import type {
  GetIncidentResponse,
  Incident,
  Monitor,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { formatCount } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import type { MeantimeVisitors } from "./askVisitors.ts";
import { clock, shortSpan, weekday } from "./incidentTime.ts";
import { isComparable, type Meantime, meantime } from "./meantime.ts";
import { regionVotes } from "./regionVotes.ts";

type FactsProps = {
  readonly answer: GetIncidentResponse;
  readonly incident: Incident;
  readonly monitor: Monitor;
  readonly website: Website;
  /** Undefined until known. */
  readonly visitors: MeantimeVisitors | undefined;
};

/** Five facts. What cannot be told says so instead of showing a figure. */
export function IncidentFacts({ answer, incident, monitor, website, visitors }: FactsProps) {
  const { incident: texts } = allTexts();
  const zone = website.timezone;
  const { startedAt, resolvedAt, acknowledgedAt, acknowledgedBy, durationMs } = incident;
  const startedMs = Date.parse(startedAt);
  const after = (instant: string): string => shortSpan(Date.parse(instant) - startedMs);
  return (
    <dl class="facts incident-facts" aria-label={texts.facts}>
      <Fact
        name={texts.down}
        figure={shortSpan(durationMs)}
        hint={
          resolvedAt === undefined
            ? texts.since(clock(startedAt, zone), zone)
            : texts.fromTo(clock(startedAt, zone), clock(resolvedAt, zone), zone)
        }
      />
      <Noticed answer={answer} monitor={monitor} startedMs={startedMs} />
      <Fact
        name={texts.acknowledged}
        figure={acknowledgedAt === undefined ? (resolvedAt === undefined ? texts.notYet : "–") : after(acknowledgedAt)}
        hint={acknowledgedAt === undefined ? (resolvedAt === undefined ? "" : texts.nobody) : texts.by(acknowledgedBy)}
      />
      <Meanwhile visitors={visitors} startedMs={startedMs} zone={zone} />
      <LastFact answer={answer} website={website} visitors={visitors} startedMs={startedMs} />
    </dl>
  );
}

type FactProps = { readonly name: string; readonly figure: ComponentChildren; readonly hint: string };

function Fact({ name, figure, hint }: FactProps) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd class="incident-figure">{figure}</dd>
      <dd class="field-hint">{hint}</dd>
    </div>
  );
}

type NoticedProps = Pick<FactsProps, "answer" | "monitor"> & { readonly startedMs: number };

function Noticed({ answer, monitor, startedMs }: NoticedProps) {
  const { incident: texts } = allTexts();
  const { openedAt, checks } = answer;
  if (openedAt === undefined) return <Fact name={texts.noticed} figure="–" hint={texts.notNoticed} />;
  const waitMs = Date.parse(openedAt) - startedMs;
  const votes = regionVotes(checks, monitor.regions, Date.parse(openedAt));
  return (
    <Fact
      name={texts.noticed}
      figure={waitMs <= 0 ? texts.atOnce : shortSpan(waitMs)}
      hint={votes === undefined ? "" : texts.agreed(votes.down.length, votes.answered.length, votes.silent.length)}
    />
  );
}

type MeanwhileProps = {
  readonly visitors: MeantimeVisitors | undefined;
  readonly startedMs: number;
  readonly zone: string;
};

function Meanwhile({ visitors, startedMs, zone }: MeanwhileProps) {
  const { incident: texts } = allTexts();
  if (visitors === undefined) return <Fact name={texts.visitors} figure="–" hint="" />;
  const { now, usual, ...sample } = meantime(visitors, ({ total }) => total);
  const day = weekday(startedMs, zone);
  const figure = now === null ? "–" : formatCount(now);
  return (
    <Fact
      name={texts.visitors}
      figure={now === null || usual === undefined ? figure : texts.ofUsual(figure, formatCount(Math.round(usual)))}
      hint={usual === undefined ? texts.usualUnknown(day) : sampleOf(sample, day)}
    />
  );
}

/** Of how many weeks the usual is the median, and between what they lie. */
function sampleOf({ weeks, lowest, highest }: Omit<Meantime, "now" | "usual">, day: string): string {
  return allTexts().incident.medianOf(weeks, day, formatCount(lowest), formatCount(highest));
}

type LastFactProps = Pick<FactsProps, "answer" | "website" | "visitors"> & { readonly startedMs: number };

/** What visitors did of the first goal, where enough usually do it; else when customers were told. */
function LastFact({ answer, website, visitors, startedMs }: LastFactProps) {
  const { incident: texts } = allTexts();
  const goal = website.goals?.goals[0];
  if (goal !== undefined && visitors !== undefined) {
    const { now, usual, ...sample } = meantime(visitors, ({ conversions }) => conversions);
    if (now !== null && usual !== undefined && isComparable(usual))
      return (
        <Fact
          name={texts.meanwhile(goal.value)}
          figure={texts.ofUsual(formatCount(now), formatCount(Math.round(usual)))}
          hint={sampleOf(sample, weekday(startedMs, website.timezone))}
        />
      );
  }
  const told = answer.reports
    .flatMap(({ updates }) => updates.map(({ postedAt }) => Date.parse(postedAt)))
    .toSorted((one, other) => one - other)[0];
  const pages = new Set(answer.reports.map(({ pageId }) => pageId)).size;
  return told === undefined ? (
    <Fact name={texts.customers} figure="–" hint={texts.customersNot} />
  ) : (
    <Fact name={texts.customers} figure={shortSpan(Math.max(0, told - startedMs))} hint={texts.onPages(pages)} />
  );
}
