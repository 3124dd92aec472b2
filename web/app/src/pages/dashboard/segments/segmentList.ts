import { signal } from "@preact/signals";
import { SegmentService } from "../../../../../../packages/client-js/src/gen/lookout/v1/segments_pb.ts";
import { clientOf, errorOf, type LookoutError } from "../../../api/client.ts";
import { type SavedSegment, savedSegment } from "./savedSegment.ts";

export const segmentService = clientOf(SegmentService);

/** The segments of one website that the person sees; `segments` is undefined until they are known. */
export type SegmentList = {
  readonly websiteId: string;
  readonly segments: readonly SavedSegment[] | undefined;
  readonly error: LookoutError | undefined;
};

export const segmentList = signal<SegmentList | undefined>(undefined);

/** Asks for the segments of a website. Those that are known stay until the answer is here, and while it fails. Never rejects. */
export async function loadSegments(websiteId: string): Promise<void> {
  const known = segmentList.peek();
  const before = known?.websiteId === websiteId ? known.segments : undefined;
  segmentList.value = { websiteId, segments: before, error: undefined };
  const next = await segmentService.listSegments({ websiteId }).then(
    ({ segments }): SegmentList => ({ websiteId, segments: segments.map(savedSegment), error: undefined }),
    (thrown: unknown): SegmentList => ({ websiteId, segments: before, error: errorOf(thrown) }),
  );
  // Another website may be on screen by now.
  if (segmentList.peek()?.websiteId === websiteId) segmentList.value = next;
}

/** The segments of a website, if they are known. */
export function knownSegments(websiteId: string): readonly SavedSegment[] | undefined {
  return segmentList.value?.websiteId === websiteId ? segmentList.value.segments : undefined;
}
