import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { ChangeText } from "../../figures/changeText.tsx";
import { localTime } from "../../figures/days.ts";
import { hrefTo } from "../../router/router.ts";
import { formatDay, formatShortCount } from "../../texts/format.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { LetterTile } from "../../ui/letterTile.tsx";
import { NoValue } from "../../ui/noValue.tsx";
import { Sparkline } from "../../ui/spark/sparkline.tsx";
import { pins, togglePin } from "./pins.ts";
import type { SiteFigures } from "./siteFigures.ts";
import type { SiteState } from "./siteState.ts";
import { footTexts, stateText } from "./tileTexts.ts";

type SiteTileProps = {
  readonly website: Website;
  /** Undefined until known, and where they could not be found out. */
  readonly figures: SiteFigures | undefined;
  readonly state: SiteState | undefined;
  /** Visitors of the last days that are over; undefined until known. */
  readonly days: readonly (number | null)[] | undefined;
  /** Whether the answer is on its way. */
  readonly isWaiting: boolean;
};

/** A website in a few figures. The whole tile leads to its overview. */
export function SiteTile({ website, figures, state, days, isWaiting }: SiteTileProps) {
  const { id, name, tags, timezone } = website;
  const { home } = allTexts();
  const isPinned = pins.value.includes(id);
  return (
    <li class="site" data-website={id}>
      <div class="site-head">
        <LetterTile name={name} />
        <h2>
          <a class="site-link" href={hrefTo(["dashboard", id])}>
            {name}
          </a>
        </h2>
        <State state={state} isWaiting={isWaiting} />
        <button
          type="button"
          class="site-pin"
          aria-pressed={isPinned}
          aria-label={home.pin(name)}
          onClick={() => togglePin(id)}
        >
          <span aria-hidden="true">{isPinned ? "★" : "☆"}</span>
        </button>
      </div>
      <Figures figures={figures} days={days} isWaiting={isWaiting} tags={tags?.names ?? []} timezone={timezone} />
    </li>
  );
}

type StateProps = Pick<SiteTileProps, "state" | "isWaiting">;

function State({ state, isWaiting }: StateProps) {
  const texts = allTexts();
  if (state === undefined) return isWaiting ? null : <span class="site-state">{texts.home.notLoaded}</span>;
  return (
    <span class="site-state state" data-state={state.state}>
      <span class="state-sign" aria-hidden="true" />
      {stateText(state, texts)}
    </span>
  );
}

type FiguresProps = Pick<SiteTileProps, "figures" | "days" | "isWaiting"> & {
  readonly tags: readonly string[];
  readonly timezone: string;
};

function Figures({ figures, days, isWaiting, tags, timezone }: FiguresProps) {
  const texts = allTexts();
  if (figures === undefined)
    return (
      <div class="site-waiting" aria-busy={isWaiting}>
        {isWaiting ? <span class="said">{texts.app.loading}</span> : texts.home.notLoaded}
      </div>
    );
  return (
    <>
      <div class="site-middle">
        <p class="site-visitors">
          {figures.visitors === null ? (
            <NoValue />
          ) : (
            <data value={figures.visitors} data-figure="visitors">
              {formatShortCount(figures.visitors)} <span class="site-unit">{texts.home.visitors}</span>
            </data>
          )}
          <Usual figures={figures} timezone={timezone} />
        </p>
        <Sparkline values={days} />
      </div>
      <ul class="site-foot">
        {footTexts(figures, texts).map((text) => (
          <li key={text}>{text}</li>
        ))}
        {tags.length > 0 && <li class="site-tags">{tags.join(", ")}</li>}
      </ul>
    </>
  );
}

/** The change of the visitors against what is usual by this time of day, and that; or why there is none. */
function Usual({ figures, timezone }: { readonly figures: SiteFigures; readonly timezone: string }) {
  const { visitors, usual, lowest, highest, since } = figures;
  const { home } = allTexts();
  if (visitors === null) return <span class="site-since" />;
  if (usual === null) {
    if (since === undefined) return <span class="site-since">{home.notCompared}</span>;
    const began = home.since(formatDay(localTime(timezone, Date.parse(since)).day, { withYear: false }));
    return <span class="site-since">{began}</span>;
  }
  return (
    <span class="site-since">
      <ChangeText value={visitors} before={usual} format={formatShortCount} moreIs="better" time={home.usualTime} />{" "}
      <data
        value={usual}
        data-figure="usual"
        aria-hidden="true"
        title={home.usualTitle(formatShortCount(lowest ?? usual), formatShortCount(highest ?? usual))}
      >
        {home.usual(formatShortCount(usual))}
      </data>
    </span>
  );
}
