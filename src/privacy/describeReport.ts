import { rowStep } from "../visitors/shownRows.ts";
import type { PrivacyFacts } from "./facts.ts";
import type { Point, Show } from "./points/point.ts";
import { points } from "./points/points.ts";
import { policyText } from "./policyText.ts";
import type { PrivacyTexts } from "./texts/en.ts";

/** A report without its page, in the language of its texts. Times are ISO 8601. */
export type Report = ReturnType<typeof describeReport>;

/** A point as a report words it. A count without a value is unknown. */
export type DescribedPoint = ReturnType<typeof describePoint>;

/** Judges every point by the facts of a website, and words it. */
export function describeReport(
  facts: PrivacyFacts,
  website: { readonly id: string; readonly domain: string },
  texts: PrivacyTexts,
) {
  const show = showIn(texts.language);
  const { privacy } = facts.settings;
  return {
    websiteId: website.id,
    generatedAt: new Date(facts.nowMs).toISOString(),
    language: texts.language,
    points: points.map((point) => describePoint(point, facts, texts, show)),
    policyText: policyText(facts, website.domain, texts, show),
    disclaimer: [
      texts.disclaimer,
      ...(privacy.audienceOnly ? [texts.rounded(show.number(rowStep(privacy)))] : []),
    ].join(" "),
  };
}

function describePoint(point: Point, facts: PrivacyFacts, texts: PrivacyTexts, show: Show) {
  const { state, finding, brokenBy } = point.judge(facts);
  return {
    id: point.id,
    authorities: [...point.authorities],
    state,
    ...texts.points[point.id],
    finding: finding(texts.findings, show),
    brokenBy: [...brokenBy],
    settings: Object.entries(point.settings?.(facts) ?? {}).map(([name, value]) => ({ name, value })),
    counts: (point.counts?.(facts) ?? []).map(({ name, value, oldestMs }) => ({
      name,
      ...(value === undefined ? {} : { value }),
      ...(oldestMs === undefined ? {} : { oldestAt: new Date(oldestMs).toISOString() }),
    })),
  };
}

/** How values are written in a language; days are dates of ISO 8601, which all languages read. */
export function showIn(language: string): Show {
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const days = new Intl.NumberFormat(language, { style: "unit", unit: "day", unitDisplay: "long" });
  const lists = new Intl.ListFormat(language);
  return {
    number: (value) => numbers.format(value),
    days: (value) => days.format(value),
    day: (timeMs) => new Date(timeMs).toISOString().slice(0, 10),
    list: (values) => lists.format(values),
  };
}
