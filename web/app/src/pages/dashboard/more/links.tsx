import { useRef } from "preact/hooks";
import { useAnswer } from "../../../api/useAnswer.ts";
import { useCall } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { formatCount } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { BarTable } from "../../../ui/barTable.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useOnScreen } from "../../../ui/useOnScreen.ts";
import { useDashboard } from "../context.ts";
import { partError } from "../partError.tsx";
import { links } from "./services.ts";

const fewLinks = 6;

/** The most clicked of the newest short links, and the clicks in the range. */
export function Links() {
  const { websiteId, scope, refresh } = useDashboard();
  const { more: texts, links: linkTexts } = t();
  const element = useRef<HTMLElement>(null);
  const isWanted = useOnScreen(element);
  const list = useCall(`links of ${websiteId}`, (signal) => links.listLinks({ websiteId, limit: 100 }, { signal }), {
    refresh,
    isWanted,
  });
  // Filters of visitors do not apply to clicks.
  const { filters: _, ...range } = scope;
  const clicks = useAnswer({ ...range, parameters: ["link_total_clicks"] }, { refresh, isWanted });
  const total = clicks.rows?.[0]?.total;
  return (
    <section class="panel" ref={element} aria-labelledby="panel-links" data-panel="links">
      <div class="panel-head">
        <h2 id="panel-links">{linkTexts.title}</h2>
        {total !== undefined && (
          <span class="field-hint">
            <data value={total} data-figure="link-clicks">
              {texts.clicksInRange(formatCount(total), total)}
            </data>
          </span>
        )}
      </div>
      <div class="panel-body">
        <Loaded
          state={list}
          height="9rem"
          failed={partError}
          empty={linkTexts.noLinksToSee}
          isEmpty={(answer) => answer.links.length === 0}
        >
          {(answer) => (
            <BarTable
              rows={answer.links.toSorted((one, other) => other.clicks - one.clicks).slice(0, fewLinks)}
              head={linkTexts.title}
              label={({ name, slug }) => (name === "" ? slug : name)}
              rowKey={({ id }) => id}
              columns={[{ name: texts.clicksEver, value: (link) => link.clicks }]}
              link={(link) => ({ href: hrefTo(["links", websiteId, link.id]), title: link.shortUrl })}
            />
          )}
        </Loaded>
      </div>
      <div class="panel-foot">
        <a class="button button-plain" href={hrefTo(["links", websiteId])}>
          {texts.toLinks}
        </a>
      </div>
    </section>
  );
}
