import type { Link } from "../../../../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/useCall.ts";
import { goTo, hrefTo, place } from "../../router/router.ts";
import { formatCount } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { CopyButton } from "../../ui/copyButton.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { links, nameOf, tagsOf } from "./linkService.ts";
import type { LinksProps } from "./linksProps.ts";
import { LinkTrend } from "./linkTrend.tsx";

const pageSize = 50;

/** The short links of a website, newest first, with a search. The address contains the search text. */
export function LinkList({ website: { id: websiteId, name, timezone } }: LinksProps) {
  const { links: texts } = t();
  const search = place.value.query.get("search") ?? "";
  const cursor = place.value.query.get("after") ?? undefined;
  const state = useCall(JSON.stringify([websiteId, search, cursor]), (signal) =>
    links.listLinks({ websiteId, search, cursor, limit: pageSize }, { signal }),
  );
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1>{texts.title}</h1>
          <p class="field-hint">{texts.listText(name)}</p>
        </div>
        {may("write:links") && (
          <a class="button button-main" href={hrefTo(["links", websiteId, "new"])}>
            {texts.newLink}
          </a>
        )}
      </div>
      <search>
        <form
          class="search"
          onSubmit={(event) => {
            event.preventDefault();
            const text = String(new FormData(event.currentTarget).get("search")).trim();
            goTo(place.value.segments, { query: text === "" ? undefined : new URLSearchParams({ search: text }) });
          }}
        >
          <input
            key={search}
            class="input"
            type="search"
            name="search"
            maxLength={255}
            aria-label={texts.search}
            placeholder={texts.searchHint}
            defaultValue={search}
          />
          <button type="submit" class="button">
            {texts.search}
          </button>
        </form>
      </search>
      <section class="panel" aria-label={texts.title} data-panel="links">
        <Loaded
          state={state}
          height="16rem"
          empty={search !== "" ? texts.nothingFound : may("write:links") ? texts.noLinks : texts.noLinksToSee}
          isEmpty={(answer) => answer.links.length === 0}
        >
          {(answer) => (
            <>
              <div class="link-row link-head" aria-hidden="true">
                <span>{texts.link}</span>
                <span>{texts.address}</span>
                <span class="link-trend">
                  <span>{texts.lastMonth}</span>
                  <span class="link-month">{texts.clicks}</span>
                  <span class="link-change">{texts.change}</span>
                </span>
                <span class="link-clicks">{texts.allClicks}</span>
              </div>
              <ul class="links">
                {answer.links.map((link) => (
                  <Row key={link.id} link={link} websiteId={websiteId} zone={timezone} />
                ))}
              </ul>
              <div class="panel-foot">
                <span class="links-total">{texts.total(formatCount(answer.total), answer.total)}</span>
                {answer.nextCursor !== undefined && (
                  <a class="button button-plain" href={olderThan(answer.nextCursor, search)}>
                    {texts.older}
                  </a>
                )}
              </div>
            </>
          )}
        </Loaded>
      </section>
    </div>
  );
}

function olderThan(cursor: string, search: string): string {
  return hrefTo(place.value.segments, new URLSearchParams({ ...(search === "" ? {} : { search }), after: cursor }));
}

type RowProps = { readonly link: Link; readonly websiteId: string; readonly zone: string };

function Row({ link, websiteId, zone }: RowProps) {
  const { links: texts } = t();
  return (
    <li class="link-row" data-link={link.id}>
      <div class="link-names">
        <a href={hrefTo(["links", websiteId, link.id])}>{nameOf(link)}</a>
        <span class="link-target">{withoutScheme(link.targetUrl)}</span>
        {tagsOf(link).length > 0 && (
          <span class="link-tags">
            {tagsOf(link).map((tag) => (
              <span class="tag" key={tag}>
                {tag}
              </span>
            ))}
          </span>
        )}
      </div>
      <div class="link-short">
        <span class="link-address">{withoutScheme(link.shortUrl)}</span>
        <CopyButton text={link.shortUrl} about={nameOf(link)} />
      </div>
      <LinkTrend linkId={link.id} zone={zone} />
      <div class="link-clicks">
        <data value={link.clicks} data-figure="clicks">
          {link.clicksKnown ? formatCount(link.clicks) : "–"}
        </data>
        <span class="link-clicks-name"> {texts.allClicks}</span>
      </div>
    </li>
  );
}

export function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//, "");
}
