import { useAnswer } from "../../../api/useAnswer.ts";
import { type KnownName, mostNames } from "./unsentNames.ts";

/** Events and pages of the last 30 days, the most frequent first; undefined until known. */
export type KnownNames = {
  readonly page: readonly KnownName[] | undefined;
  readonly event: readonly KnownName[] | undefined;
};

export function useKnownNames(websiteId: string, timezone: string): KnownNames {
  const asked = { websiteId, timezone, preset: "last_30d", limit: mostNames } as const;
  const pages = useAnswer({ ...asked, parameters: ["top_pages"] }).rows;
  const events = useAnswer({ ...asked, parameters: ["events"] }).rows;
  return {
    page: pages?.map(({ path, pageviews }) => ({ name: path, count: pageviews ?? 0 })),
    event: events?.map(({ name, count }) => ({ name, count: count ?? 0 })),
  };
}
