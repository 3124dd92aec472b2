import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { ChangeText } from "../../figures/changeText.tsx";
import { readStored, writeStored } from "../../preferences/stored.ts";
import { goTo, place } from "../../router/router.ts";
import { useTitle } from "../../shell/useTitle.ts";
import { formatCount } from "../../texts/format.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { useEvery } from "../../ui/useEvery.ts";
import { HomeData } from "./homeData.ts";
import { HomeTools } from "./homeTools.tsx";
import { nextTile } from "./nextTile.ts";
import { OpenIncidents } from "./openIncidents.tsx";
import { filterWebsites, needsAll, pinnedFirst, type Sorting, sortings, tagsOf } from "./orderWebsites.ts";
import { pins } from "./pins.ts";
import { SiteTile } from "./siteTile.tsx";
import { totalVisitors } from "./totalVisitors.ts";
import { useOrder } from "./useOrder.ts";
import "../../styles/states.css";
import "../../styles/figures.css";
import "../../styles/home.css";

/** How often what is on screen is asked again. */
const refreshMs = 60_000;

/** All websites of the organization: what is down on top, then a tile for each. */
export function Home({ websites }: { readonly websites: readonly Website[] }) {
  const { home, websites: texts } = allTexts();
  useTitle(texts.all);
  const data = useMemo(() => new HomeData(), []);
  useEffect(() => () => data.stop(), [data]);
  const refresh = useEvery(refreshMs);
  const search = useRef<HTMLInputElement>(null);
  const text = useSignal("");
  const sorting = useSignal<Sorting>(sortings.find((name) => name === readStored("sorting")) ?? "visitors");
  useEffect(() => {
    // Incidents of websites below the fold are on top too.
    for (const website of websites) data.askState(website, false);
  }, [refresh, websites, data]);
  useEffect(() => {
    if (!needsAll(sorting.value)) return;
    for (const website of websites) if (data.figuresOf(website.id).value === undefined) data.askFigures(website, false);
  }, [sorting.value, websites, data]);
  useSearchKey(search);
  const tags = tagsOf(websites);
  const tag = tags.find((name) => name === place.value.query.get("tag"));
  const ordered = useOrder(websites, sorting.value, data);
  const shown = pinnedFirst(filterWebsites(ordered, text.value, tag), pins.value);
  return (
    <div class="home">
      <div class="home-head">
        <h1>{home.title}</h1>
        <Total websites={websites} data={data} />
        <HomeTools
          search={search}
          onSearch={(typed) => {
            text.value = typed;
          }}
          tags={tags}
          tag={tag}
          onTag={(name) => goTo([], { query: name === undefined ? undefined : new URLSearchParams({ tag: name }) })}
          sorting={sorting.value}
          onSort={(name) => {
            sorting.value = name;
            writeStored("sorting", name);
          }}
        />
      </div>
      <OpenIncidents websites={websites} data={data} refresh={refresh} />
      <ul class="sites" onKeyDown={moveFocus}>
        {shown.map((website) => (
          <SiteTile key={website.id} website={website} data={data} refresh={refresh} />
        ))}
      </ul>
      <p class="nothing" role="status">
        {shown.length === 0 ? texts.noneFound : ""}
      </p>
    </div>
  );
}

/** How many websites there are, and how many visitors they had together once all are known. */
function Total({ websites, data }: { readonly websites: readonly Website[]; readonly data: HomeData }) {
  const { home } = allTexts();
  const total = totalVisitors(websites.map(({ id }) => data.figuresOf(id).value));
  const count = formatCount(websites.length);
  if (total === undefined) return <p class="home-total">{count}</p>;
  return (
    <p class="home-total">
      {count} ·{" "}
      <data value={total.visitors} data-figure="total">
        {home.total(formatCount(total.visitors), total.visitors)}
      </data>{" "}
      <ChangeText
        value={total.visitors}
        before={total.before}
        format={formatCount}
        moreIs="better"
        time={home.weeksBefore}
      />
    </p>
  );
}

/** Arrow keys lead from tile to tile. */
function moveFocus(event: KeyboardEvent): void {
  if (!(event.target instanceof HTMLElement) || !event.target.matches(".site-link")) return;
  const list = event.target.closest(".sites");
  const links = [...(list?.querySelectorAll<HTMLElement>(".site-link") ?? [])];
  const tops = [...(list?.querySelectorAll<HTMLElement>(".site") ?? [])].map((tile) => tile.offsetTop);
  const columns = tops.filter((top) => top === tops[0]).length;
  const to = nextTile(event.key, links.indexOf(event.target), columns, links.length);
  if (to === undefined) return;
  event.preventDefault();
  links[to]?.focus();
}

/** The key / leads to the search. */
function useSearchKey(search: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.closest("input, textarea, select, dialog") !== null;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      search.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [search]);
}
