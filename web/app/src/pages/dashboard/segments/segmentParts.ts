/** What is loaded when saved filters are needed. */
export { IfAnySegment, SegmentChoices, SegmentLabel } from "./segmentChoices.tsx";
export { SegmentDialog } from "./segmentDialog.tsx";
