import { audienceSetting } from "../../errors/errors.ts";
import { dayMs } from "../../time/utcDay.ts";
import { groupDays, type PrivacyFacts } from "../facts.ts";
import { broken, daysOf, fulfilled, noRows, notCounted, type Point, unknown, type Verdict } from "./point.ts";

/** 13 months: CNIL, guidelines on trackers. As long as the tracker keeps an id of `data-visitor="persistent"`. */
const maxIdDays = 395;

/** Fewer visitors than these are a small group. */
export const smallGroupVisitors = 10;

const groupSetting = "privacy.smallestGroup";

const visitorSetting = "data-visitor";

/** Points about ids of visitors and about single visitors. */
export const idPoints: readonly Point[] = [
  {
    id: "statistics_only",
    authorities: ["cnil", "ico"],
    settings: audienceOf,
    counts: (facts) => [
      { name: "sessions", value: sessionsOf(facts) },
      { name: "ids", value: facts.ids?.ids },
    ],
    judge: (facts) => {
      const sessions = sessionsOf(facts);
      if (sessions === undefined || facts.ids === undefined) return notCounted;
      if (facts.settings.privacy.audienceOnly) return fulfilled((texts) => texts.audienceOnly);
      const { ids } = facts.ids;
      if (sessions === 0 && ids === 0) return fulfilled((texts) => texts.noVisits);
      return broken([audienceSetting], (texts, { number }) => texts.visitsListed(number(sessions), number(ids)));
    },
  },
  {
    id: "small_groups",
    authorities: ["cnil", "ico"],
    settings: (facts) => ({ ...audienceOf(facts), [groupSetting]: String(facts.settings.privacy.smallestGroup) }),
    counts: ({ groups }) =>
      groups?.map(({ field, visitors }) => ({ name: `smallest_group.${field}`, value: visitors })) ?? [
        { name: "smallest_group", value: undefined },
      ],
    judge: judgeGroups,
  },
  {
    id: "device_storage",
    authorities: ["dsk"],
    counts: ({ ids }) => [
      { name: "ids", value: ids?.ids },
      { name: "ids_sent", value: ids?.sent },
    ],
    judge: ({ ids: found }) => {
      if (found === undefined) return notCounted;
      const { ids, sent } = found;
      if (ids === 0) return noRows;
      if (sent === 0) return fulfilled((texts, { number }) => texts.idsMade(number(ids)));
      return broken([visitorSetting], (texts, { number }) => texts.idsSent(number(sent), number(ids)));
    },
  },
  {
    id: "tracker_life",
    authorities: ["cnil"],
    settings: ({ settings }) => ({
      "privacy.ids": settings.privacy.ids,
      "retention.rawEventsDays": String(settings.retention.rawEventsDays),
    }),
    counts: ({ ids }) => [
      { name: "longest_id_days", value: ids === undefined || ids.ids === 0 ? undefined : ids.longestMs / dayMs },
    ],
    judge: judgeLife,
  },
  {
    id: "one_website",
    authorities: ["cnil"],
    counts: ({ spread }) => [
      { name: "ids_on_other_websites", value: spread?.shared },
      { name: "websites_of_one_id", value: spread?.mostWebsites },
    ],
    judge: ({ spread }) => {
      if (spread === undefined) return notCounted;
      const { shared, mostWebsites, isWhole } = spread;
      if (shared > 0)
        return broken(["anonymousId"], (texts, { number }) => texts.manyWebsites(number(shared), number(mostWebsites)));
      if (!isWhole) return unknown((texts) => texts.spreadUnseen);
      return fulfilled((texts) => texts.oneWebsite);
    },
  },
];

function sessionsOf({ tables }: PrivacyFacts): number | undefined {
  return tables.find(({ kind }) => kind === "sessions")?.rows;
}

function audienceOf({ settings }: PrivacyFacts): Record<string, string> {
  return { [audienceSetting]: String(settings.privacy.audienceOnly) };
}

function judgeGroups({ groups, settings: { privacy } }: PrivacyFacts): Verdict {
  const { audienceOnly, smallestGroup } = privacy;
  if (groups === undefined) return notCounted;
  if (audienceOnly && smallestGroup < smallGroupVisitors)
    return broken([groupSetting], (texts, { number }) => texts.groupsAllowed(number(smallestGroup)));
  const smallest = groups.toSorted((one, other) => one.visitors - other.visitors)[0];
  if (smallest === undefined) return noRows;
  const { field, visitors } = smallest;
  if (visitors >= smallGroupVisitors)
    return fulfilled((texts, { number }) => texts.groupsLarge(number(visitors), number(groupDays)));
  return broken(audienceOnly ? [] : [audienceSetting], (texts, { number }) =>
    texts.groupsSmall(field, number(visitors), number(groupDays)),
  );
}

/** An id that was seen as long as rows are kept may live longer, unless the service made it, for a day. */
function judgeLife({ ids: found, settings }: PrivacyFacts): Verdict {
  if (found === undefined) return notCounted;
  if (found.ids === 0) return noRows;
  const days = daysOf(found.longestMs);
  if (days > maxIdDays) return broken(["anonymousId"], (texts, show) => texts.lifeLong(show.days(days)));
  // What stands for the ids says nothing of how long they live elsewhere.
  if (found.sent > 0 && settings.privacy.ids === "day") return unknown((texts) => texts.lifeElsewhere);
  const keptDays = Math.min(settings.retention.rawEventsDays, settings.retention.customEventsDays);
  if (found.sent > 0 && days >= keptDays - 1)
    return unknown((texts, show) => texts.lifeUnseen(show.days(days), show.days(keptDays)));
  return fulfilled((texts, show) => texts.lifeKept(show.days(days)));
}
