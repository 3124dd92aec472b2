import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { readStored, writeStored } from "../../preferences/stored.ts";
import { inOrderOf, type Sorting, sortWebsites } from "./orderWebsites.ts";
import type { HomeFigures } from "./siteFigures.ts";

/**
 * The websites in the order of a sorting. Until the answer is there they are in the order of the last visit, and afterwards they stay where
 * they are while figures change, so that nothing moves below a finger.
 */
export function useOrder(
  websites: readonly Website[],
  sorting: Sorting,
  known: HomeFigures | undefined,
): readonly Website[] {
  const isKnown = known !== undefined;
  const latest = useRef(known);
  latest.current = known;
  const name = `order.${sorting}`;
  const ordered = useMemo(() => {
    const knownOf = (id: string) => ({
      figures: latest.current?.figures?.get(id),
      state: latest.current?.states?.get(id),
    });
    if (isKnown) return sortWebsites(websites, sorting, knownOf);
    return inOrderOf(sortWebsites(websites, "name", knownOf), (readStored(name) ?? "").split("\n"));
  }, [websites, sorting, isKnown, name]);
  useEffect(() => {
    if (isKnown && sorting !== "name") writeStored(name, ordered.map(({ id }) => id).join("\n"));
  }, [isKnown, ordered, name, sorting]);
  return ordered;
}
