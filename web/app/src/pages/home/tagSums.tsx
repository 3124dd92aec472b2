import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { ChangeText } from "../../figures/changeText.tsx";
import { hrefTo } from "../../router/router.ts";
import { formatCount, formatShortCount } from "../../texts/format.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { NoValue } from "../../ui/noValue.tsx";
import type { SiteFigures } from "./siteFigures.ts";
import { sumsByTag } from "./sumOfSites.ts";

type TagSumsProps = {
  readonly websites: readonly Website[];
  readonly tags: readonly string[];
  readonly tag: string | undefined;
  readonly figures: ReadonlyMap<string, SiteFigures> | undefined;
};

/** The websites of each tag together. A tag leads to its websites. */
export function TagSums({ websites, tags, tag, figures }: TagSumsProps) {
  const { home } = allTexts();
  if (tags.length === 0) return null;
  return (
    <ul class="tag-sums" aria-label={home.byTag}>
      {sumsByTag(websites, tags, figures).map(({ tag: name, websites: count, sum }) => (
        <li key={name} class="tag-sum" data-tag={name}>
          <a
            href={hrefTo([], name === tag ? undefined : new URLSearchParams({ tag: name }))}
            aria-current={name === tag ? "true" : undefined}
          >
            {name}
          </a>
          <span class="tag-sum-count">{home.websites(formatCount(count), count)}</span>
          {sum === undefined ? (
            <NoValue />
          ) : (
            <span>
              <data value={sum.visitors} data-figure="visitors">
                {home.today(formatShortCount(sum.visitors), sum.visitors)}
              </data>{" "}
              <ChangeText
                value={sum.visitors}
                before={sum.usual}
                format={formatShortCount}
                moreIs="better"
                time={home.usualTime}
              />
              {" · "}
              <data class="tag-sum-count" value={sum.visits} data-figure="visits">
                {home.visits(formatShortCount(sum.visits), sum.visits)}
              </data>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
