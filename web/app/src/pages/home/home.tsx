import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { query } from "../../api/client.ts";
import { session } from "../../api/session.ts";
import { type CallState, useCall } from "../../api/useCall.ts";
import { ChangeText } from "../../figures/changeText.tsx";
import { readStored, writeStored } from "../../preferences/stored.ts";
import { goTo, place } from "../../router/router.ts";
import { useTitle } from "../../shell/useTitle.ts";
import { formatCount } from "../../texts/format.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { useEvery } from "../../ui/useEvery.ts";
import { HomeTools } from "./homeTools.tsx";
import { nextTile } from "./nextTile.ts";
import { OpenIncidents } from "./openIncidents.tsx";
import { filterWebsites, pinnedFirst, type Sorting, sortings, tagsOf } from "./orderWebsites.ts";
import { pins } from "./pins.ts";
import { type HomeFigures, homeQuestion, readHome, readTrend, type SiteFigures, trendQuestion } from "./siteFigures.ts";
import { SiteTile } from "./siteTile.tsx";
import { sumOfSites } from "./sumOfSites.ts";
import { TagSums } from "./tagSums.tsx";
import { useOrder } from "./useOrder.ts";
import "../../styles/states.css";
import "../../styles/figures.css";
import "../../styles/home.css";

/** How often what is on screen is asked again. */
const refreshMs = 60_000;

/** All websites of the organization: what is down on top, then a tile for each. One question has the figures of all websites. */
export function Home({ websites }: { readonly websites: readonly Website[] }) {
  const { home, websites: texts } = allTexts();
  useTitle(texts.all);
  const refresh = useEvery(refreshMs);
  const organizationId = session.value?.organizationId ?? "";
  const asked = useCall(
    `all websites of ${organizationId}`,
    async (signal) => readHome(await query(homeQuestion(organizationId), { signal })),
    { refresh },
  );
  const known = asked.value;
  // The days that are over stay as they are.
  const trend = useCall(
    `trend of ${organizationId}`,
    async (signal) => readTrend(await query(trendQuestion(organizationId), { signal })),
    { isWanted: known !== undefined },
  ).value;
  const search = useRef<HTMLInputElement>(null);
  const text = useSignal("");
  const sorting = useSignal<Sorting>(sortings.find((name) => name === readStored("sorting")) ?? "visitors");
  useSearchKey(search);
  const tags = tagsOf(websites);
  const tag = tags.find((name) => name === place.value.query.get("tag"));
  const ordered = useOrder(websites, sorting.value, known);
  const shown = pinnedFirst(filterWebsites(ordered, text.value, tag), pins.value);
  return (
    <div class="home">
      <div class="home-head">
        <h1>{home.title}</h1>
        <Total websites={websites} figures={known?.figures} />
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
      <OpenIncidents websites={websites} states={known?.states} refresh={refresh} />
      <TagSums websites={websites} tags={tags} tag={tag} figures={known?.figures} />
      <ul class="sites" onKeyDown={moveFocus}>
        {shown.map((website) => (
          <SiteTile
            key={website.id}
            website={website}
            figures={known?.figures?.get(website.id)}
            state={known?.states?.get(website.id)}
            days={trend?.get(website.id)}
            isWaiting={isWaiting(asked)}
          />
        ))}
      </ul>
      <p class="nothing" role="status">
        {shown.length === 0 ? texts.noneFound : ""}
      </p>
    </div>
  );
}

/** Whether there is no answer yet. Figures that the answer lacks are not waited for. */
function isWaiting({ value, isLoading }: CallState<HomeFigures>): boolean {
  return value === undefined && isLoading;
}

type TotalProps = {
  readonly websites: readonly Website[];
  readonly figures: ReadonlyMap<string, SiteFigures> | undefined;
};

/** How many websites there are, and how many visitors they have together today once all are known. */
function Total({ websites, figures }: TotalProps) {
  const { home } = allTexts();
  const sum = sumOfSites(websites.map(({ id }) => figures?.get(id)));
  const count = formatCount(websites.length);
  if (sum === undefined) return <p class="home-total">{count}</p>;
  return (
    <p class="home-total">
      {count} ·{" "}
      <data value={sum.visitors} data-figure="total">
        {home.today(formatCount(sum.visitors), sum.visitors)}
      </data>{" "}
      <ChangeText value={sum.visitors} before={sum.usual} format={formatCount} moreIs="better" time={home.usualTime} />
      {sum.now !== null && <> · {home.now(sum.now)}</>}
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
