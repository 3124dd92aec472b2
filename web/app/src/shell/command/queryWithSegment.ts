import type { SavedSegment } from "../../pages/dashboard/segments/savedSegment.ts";
import { readView, writeView } from "../../pages/dashboard/view/view.ts";
import type { Place } from "../../router/path.ts";

/** The parameters of the overview with a segment. Period, comparison and goal stay as they are if the website's overview is on screen. */
export function queryWithSegment(
  { id, filters }: Pick<SavedSegment, "id" | "filters">,
  websiteId: string,
  { segments: [page, shownId], query }: Place,
): URLSearchParams {
  const isShown = page === "dashboard" && shownId === websiteId;
  return writeView({ ...readView(isShown ? query : new URLSearchParams()), filters, segment: id });
}
