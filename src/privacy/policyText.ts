import type { Destination, PrivacyFacts } from "./facts.ts";
import { daysOf, type Show } from "./points/point.ts";
import { hostsOf } from "./points/usePoints.ts";
import type { PrivacyTexts } from "./texts/en.ts";

/** A paragraph for the privacy policy of a website, filled from its settings and rows; of what is unknown it says nothing. */
export function policyText(facts: PrivacyFacts, host: string, { policy: texts }: PrivacyTexts, show: Show): string {
  const { settings, destinations } = facts;
  const { number, list } = show;
  // Messages to channels are about monitors, not about visitors.
  const hosts = hostsOf(destinations?.filter(({ kind }) => keepsRows.has(kind)));
  return [
    texts.intro(host),
    visitorText(facts, texts, show),
    texts.stored(list(placesOf(facts, texts))),
    texts.kept(
      number(Math.max(settings.retention.rawEventsDays, settings.retention.customEventsDays)),
      number(settings.retention.aggregatedDays),
    ),
    ...(settings.hasProxies ? [texts.proxies] : []),
    ...(hosts.length > 0 ? [texts.recipients(list(hosts))] : []),
    ...(settings.honorsDoNotTrack ? [texts.signals] : []),
    texts.objection,
  ].join(" ");
}

const keepsRows: ReadonlySet<Destination["kind"]> = new Set(["exports", "backups"]);

type PolicyTexts = PrivacyTexts["policy"];

function visitorText({ ids, settings }: PrivacyFacts, { visitor }: PolicyTexts, { days }: Show): string {
  if (ids === undefined) return visitor.unknown;
  if (ids.sent > 0 && settings.privacy.ids === "day") return visitor.sentForDay;
  if (ids.sent > 0) return visitor.sent(days(daysOf(ids.longestMs)));
  return ids.ids > 0 ? visitor.made : visitor.none;
}

/** The places that rows have; while none has one, those that the website may store. */
function placesOf({ contents, settings }: PrivacyFacts, { places }: PolicyTexts): string[] {
  const names = ["country", "region", "city"] as const;
  const { withCountry = 0, withRegion = 0, withCity = 0 } = contents ?? {};
  const rows = { country: withCountry, region: withRegion, city: withCity };
  const stored = names.filter((name) => rows[name] > 0);
  const allowed = names.slice(0, names.indexOf(settings.privacy.place) + 1);
  return (stored.length > 0 ? stored : allowed).map((name) => places[name]);
}
