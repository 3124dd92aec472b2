import { computed, untracked } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { readStored, writeStored } from "../../preferences/stored.ts";
import type { HomeData } from "./homeData.ts";
import { inOrderOf, needsAll, type Sorting, sortWebsites } from "./orderWebsites.ts";

/**
 * The websites in the order of a sorting. Until all of their answers are there they are in the order of the last visit, and afterwards
 * they stay where they are while figures change, so that nothing moves below a finger.
 */
export function useOrder(websites: readonly Website[], sorting: Sorting, data: HomeData): readonly Website[] {
  // The page is drawn again when all are known, not with each answer.
  const known = useMemo(
    () =>
      computed(() =>
        websites.every(({ id }) => {
          const asked = needsAll(sorting) ? data.figuresOf(id) : data.stateOf(id);
          return sorting === "name" || asked.value !== undefined || asked.error !== undefined;
        }),
      ),
    [websites, sorting, data],
  );
  const isKnown = known.value;
  const name = `order.${sorting}`;
  const ordered = useMemo(() => {
    const knownOf = (id: string) =>
      untracked(() => ({ figures: data.figuresOf(id).value, state: data.stateOf(id).value }));
    if (isKnown) return sortWebsites(websites, sorting, knownOf);
    return inOrderOf(sortWebsites(websites, "name", knownOf), (readStored(name) ?? "").split("\n"));
  }, [websites, sorting, isKnown, data]);
  useEffect(() => {
    if (isKnown && sorting !== "name") writeStored(name, ordered.map(({ id }) => id).join("\n"));
  }, [isKnown, ordered, name, sorting]);
  return ordered;
}
