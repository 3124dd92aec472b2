import { useEffect, useRef } from "preact/hooks";
import { websites } from "../../../api/websites.ts";
import type { Preset } from "../../../figures/range.ts";
import { isKeyListOpen, type PageKeys, registerKeys } from "../../../keys/keys.ts";
import { goTo } from "../../../router/router.ts";
import { useDashboard } from "../context.ts";
import { openFilters } from "../filters/openFilters.ts";
import { showView } from "../view/currentView.ts";
import { stepRange } from "../view/steps.ts";
import { writeView } from "../view/view.ts";

/** The ranges that have a key. */
export const rangeKeys: Readonly<Partial<Record<Preset, string>>> = {
  today: "D",
  last_7d: "W",
  this_month: "M",
  this_year: "Y",
};

const numbers = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** The keys of the overview. */
export function useBarKeys(): void {
  const context = useDashboard();
  const current = useRef(context);
  current.current = context;
  const { isMember } = context;
  useEffect(() => registerKeys(keysOf(() => current.current, isMember)), [isMember]);
}

type Context = ReturnType<typeof useDashboard>;

function keysOf(context: () => Context, isMember: boolean): PageKeys[] {
  const ranges = Object.entries(rangeKeys).map(([name, key]): PageKeys => {
    const preset = name as keyof typeof rangeKeys;
    return {
      keys: [key.toLowerCase()],
      shown: key,
      name: (texts) => texts.dashboard.ranges[preset],
      run: () => showView({ ...context().view, range: { preset } }),
    };
  });
  const steps = ([-1, 1] as const).map(
    (by): PageKeys => ({
      keys: [by === -1 ? "arrowleft" : "arrowright"],
      shown: by === -1 ? "←" : "→",
      name: ({ bar }) => (by === -1 ? bar.before : bar.after),
      run: () => {
        const { view, now } = context();
        const range = stepRange(view.range, by, now.day);
        if (range !== undefined) showView({ ...view, range });
      },
    }),
  );
  const search: PageKeys = {
    keys: ["/"],
    shown: "/",
    name: ({ filterForm }) => filterForm.addTitle,
    run: () => {
      openFilters.value = { at: undefined, isSearched: true };
    },
  };
  const clear: PageKeys = {
    keys: ["escape"],
    shown: "Esc",
    name: ({ keys }) => keys.clearFilters,
    run: () => {
      const { view } = context();
      if (view.filters.length > 0) showView({ ...view, filters: [] });
    },
  };
  const website: PageKeys = {
    keys: numbers,
    shown: "1 – 9",
    name: ({ keys }) => keys.website,
    run: (key) => {
      const state = websites.value;
      const chosen = state.kind === "loaded" ? state.websites[Number(key) - 1] : undefined;
      // Filters belong to the website.
      const query = writeView({ ...context().view, filters: [], goal: undefined });
      if (chosen !== undefined) goTo(["dashboard", chosen.id], { query });
    },
  };
  const list: PageKeys = {
    keys: ["?"],
    shown: "?",
    name: ({ keys }) => keys.title,
    run: () => {
      isKeyListOpen.value = true;
    },
  };
  return [...ranges, ...steps, search, clear, ...(isMember ? [website] : []), list];
}
