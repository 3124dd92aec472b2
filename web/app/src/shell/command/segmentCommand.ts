import type { SavedSegment } from "../../pages/dashboard/segments/savedSegment.ts";
import { goTo, place } from "../../router/router.ts";
import type { Command } from "./command.ts";
import { queryWithSegment } from "./queryWithSegment.ts";

/** A command that shows the overview of a website with the filters of a segment. */
export function segmentCommand(
  segment: SavedSegment,
  website: { readonly id: string; readonly name: string },
): Command {
  return {
    id: `segment ${segment.id}`,
    group: "segments",
    text: segment.name,
    hint: website.name,
    run: () => goTo(["dashboard", website.id], { query: queryWithSegment(segment, website.id, place.peek()) }),
  };
}
