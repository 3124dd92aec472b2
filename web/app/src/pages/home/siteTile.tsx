import { useEffect, useRef } from "preact/hooks";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { ChangeText } from "../../figures/changeText.tsx";
import { comparedTime } from "../../figures/comparedTime.ts";
import { hrefTo } from "../../router/router.ts";
import { formatDay, formatShortCount } from "../../texts/format.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { LetterTile } from "../../ui/letterTile.tsx";
import { NoValue } from "../../ui/noValue.tsx";
import { Sparkline } from "../../ui/spark/sparkline.tsx";
import { useOnScreen } from "../../ui/useOnScreen.ts";
import type { Asked, HomeData } from "./homeData.ts";
import { pins, togglePin } from "./pins.ts";
import type { SiteFigures } from "./siteFigures.ts";
import type { SiteState } from "./siteState.ts";
import { footTexts, stateText } from "./tileTexts.ts";

type SiteTileProps = {
  readonly website: Website;
  readonly data: HomeData;
  /** Asks again when it changes. */
  readonly refresh: number;
};

/** A website in a few figures. The whole tile leads to its overview. It asks for its figures when it comes on screen. */
export function SiteTile({ website, data, refresh }: SiteTileProps) {
  const { id, name, timezone } = website;
  const element = useRef<HTMLLIElement>(null);
  const isOnScreen = useOnScreen(element);
  useEffect(() => {
    if (!isOnScreen) return;
    data.askFigures({ id, timezone }, true);
    data.askState({ id, timezone }, true);
  }, [isOnScreen, refresh, id, timezone, data]);
  const { home } = allTexts();
  const isPinned = pins.value.includes(id);
  return (
    <li ref={element} class="site" data-website={id}>
      <div class="site-head">
        <LetterTile name={name} />
        <h2>
          <a class="site-link" href={hrefTo(["dashboard", id])}>
            {name}
          </a>
        </h2>
        <State asked={data.stateOf(id)} />
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
      <Figures asked={data.figuresOf(id)} website={website} />
    </li>
  );
}

function State({ asked: { value, error } }: { readonly asked: Asked<SiteState> }) {
  const texts = allTexts();
  if (value === undefined) return error === undefined ? null : <span class="site-state">{texts.home.notLoaded}</span>;
  return (
    <span class="site-state state" data-state={value.state}>
      <span class="state-sign" aria-hidden="true" />
      {stateText(value, texts)}
    </span>
  );
}

type FiguresProps = { readonly asked: Asked<SiteFigures>; readonly website: Website };

function Figures({ asked: { value, error }, website }: FiguresProps) {
  const texts = allTexts();
  if (value === undefined)
    return (
      <div class="site-waiting" aria-busy={error === undefined}>
        {error === undefined ? <span class="said">{texts.app.loading}</span> : texts.home.notLoaded}
      </div>
    );
  return (
    <>
      <div class="site-middle">
        <p class="site-visitors">
          {value.visitors === null ? (
            <NoValue />
          ) : (
            <data value={value.visitors} data-figure="visitors">
              {formatShortCount(value.visitors)}
            </data>
          )}
          <span class="said"> {texts.home.visitors}</span>
          <Change figures={value} zone={website.timezone} />
        </p>
        <Sparkline values={value.days} />
      </div>
      <ul class="site-foot">
        {footTexts(value, texts).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

/** The change of the visitors, or why there is none. */
function Change({ figures, zone }: { readonly figures: SiteFigures; readonly zone: string }) {
  const texts = allTexts();
  const { visitors, before, compared, since } = figures;
  if (visitors === null) return <span class="site-since" />;
  if (before === null)
    return (
      <span class="site-since">
        {since === undefined ? texts.home.notCompared : texts.home.since(formatDay(since, { withYear: false }))}
      </span>
    );
  const time = compared === undefined ? "" : comparedTime(compared, zone, texts);
  return <ChangeText value={visitors} before={before} format={formatShortCount} moreIs="better" time={time} />;
}
