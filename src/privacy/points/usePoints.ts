import { audienceSetting } from "../../errors/errors.ts";
import type { Destination, PrivacyFacts } from "../facts.ts";
import { broken, fulfilled, notCounted, type Point, unknown, type Verdict } from "./point.ts";

/** What figures are for, whom they go to, and what visitors are told: the first points. */
export const purposePoints: readonly Point[] = [
  {
    id: "purpose",
    authorities: ["cnil", "ico", "dsk"],
    judge: () => unknown((texts) => texts.purposeUnknown),
  },
  {
    id: "publisher_alone",
    authorities: ["cnil"],
    settings: ({ settings }) => ({ publicAccess: String(settings.publicAccess) }),
    judge: ({ settings }) =>
      settings.publicAccess ? broken(["publicAccess"], (texts) => texts.public) : fulfilled((texts) => texts.private),
  },
];

/** The points after those about ids and rows. */
export const visitorPoints: readonly Point[] = [
  {
    id: "no_crossing",
    authorities: ["cnil"],
    settings: ({ settings }) => ({ [audienceSetting]: String(settings.privacy.audienceOnly) }),
    counts: ({ contents, links }) => [
      { name: "page_views_with_click", value: contents?.withClick },
      { name: "short_links", value: links },
    ],
    judge: judgeCrossing,
  },
  {
    id: "objection_signals",
    authorities: ["ico"],
    settings: ({ settings }) => ({ HONOR_DO_NOT_TRACK: String(settings.honorsDoNotTrack) }),
    counts: ({ objections }) => [{ name: "events_left_out", value: objections }],
    judge: ({ settings, objections }) => {
      if (!settings.honorsDoNotTrack) return broken(["HONOR_DO_NOT_TRACK"], (texts) => texts.signalsIgnored);
      if (objections === undefined) return notCounted;
      return fulfilled((texts, { number }) => texts.signalsHonoured(number(objections)));
    },
  },
  {
    id: "objection",
    authorities: ["cnil", "ico"],
    judge: () => unknown((texts) => texts.objectionUnknown),
  },
  {
    id: "information",
    authorities: ["cnil", "ico", "dsk"],
    judge: () => unknown((texts) => texts.informationUnknown),
  },
  {
    id: "recipients",
    authorities: ["cnil"],
    settings: ({ destinations }) =>
      Object.fromEntries(
        settingOfKind.flatMap(([kind, name]) => {
          const hosts = hostsOf(destinations?.filter((each) => each.kind === kind));
          return hosts.length === 0 ? [] : [[name, hosts.join(", ")]];
        }),
      ),
    counts: ({ destinations }) => [
      { name: "hosts", value: destinations === undefined ? undefined : hostsOf(destinations).length },
    ],
    judge: ({ destinations }) => {
      if (destinations === undefined) return notCounted;
      const hosts = hostsOf(destinations);
      if (hosts.length === 0) return fulfilled((texts) => texts.noRecipients);
      return unknown((texts, { list }) => texts.recipients(list(hosts)));
    },
  },
];

/**
 * A page view that follows a click gets what it is joined by, unless the audience alone is measured: then no answer joins, also not what was
 * stored before. Links that lead to the website are what clicks come from.
 */
function judgeCrossing({ contents, links, settings: { privacy } }: PrivacyFacts): Verdict {
  if (contents === undefined || links === undefined) return notCounted;
  const { withClick } = contents;
  if (privacy.audienceOnly) return fulfilled((texts, { number }) => texts.notJoinedAnyMore(number(withClick)));
  if (withClick === 0 && links === 0) return fulfilled((texts) => texts.notJoined);
  return broken([audienceSetting], (texts, { number }) =>
    withClick === 0 ? texts.joinable(number(links)) : texts.joined(number(withClick), number(links)),
  );
}

/** What sets where each kind goes. */
const settingOfKind: readonly (readonly [Destination["kind"], string])[] = [
  ["webhook", "channels.webhook"],
  ["slack", "channels.slack"],
  ["email", "channels.email"],
  ["exports", "EXPORT_S3_BUCKET"],
  ["backups", "BACKUP_TO"],
];

/** The hosts of other installations, each once. */
export function hostsOf(destinations: readonly Destination[] = []): string[] {
  return [...new Set(destinations.flatMap(({ host }) => host ?? []))];
}
