import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../../texts/format.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import type { RealtimeFigures } from "./figures.ts";
import { minuteBars, totalsOf } from "./minutes.ts";
import { isNews, type Spoken } from "./spokenNews.ts";

type NewsProps = { readonly figures: RealtimeFigures | undefined; readonly isSilent: boolean };

/** Tells screen readers from time to time how many visitors are here and what has happened. */
export function News({ figures, isSilent }: NewsProps) {
  const { realtime: texts } = allTexts();
  const last = useRef<Spoken | undefined>(undefined);
  const said = useSignal("");
  useEffect(() => {
    if (isSilent || figures?.now === undefined || figures.minutes === undefined) return;
    const { views, events } = totalsOf(minuteBars(figures.minutes));
    const visitors = figures.now.active_users;
    const now = { atMs: figures.atMs, visitors, total: views + events };
    if (!isNews(last.current, now)) return;
    last.current = now;
    said.value = texts.news(formatCount(visitors), visitors, formatCount(views), formatCount(events));
  }, [figures, isSilent]);
  return (
    <p class="said" aria-live="polite" data-news>
      {said.value}
    </p>
  );
}
