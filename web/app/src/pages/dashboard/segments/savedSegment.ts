import type { Segment, SegmentFilter } from "../../../../../../packages/client-js/src/gen/lookout/v1/segments_pb.ts";
import { emptyOperators, listOperators, textOperators, type ViewFilter, writeFilter } from "../view/filter.ts";

/** Filters that were saved under a name. */
export type SavedSegment = {
  readonly id: string;
  readonly name: string;
  /** Whether everybody who sees the website sees it. */
  readonly isShared: boolean;
  readonly filters: readonly ViewFilter[];
};

export function savedSegment({ id, name, shared, filters }: Segment): SavedSegment {
  return { id, name, isShared: shared, filters: filters.flatMap(viewFilter) };
}

function viewFilter({ field, op, value }: SegmentFilter): ViewFilter[] {
  const texts = textsOf(value);
  const [text] = texts;
  const emptyOp = emptyOperators.find((name) => name === op);
  if (emptyOp !== undefined) return [{ field, op: emptyOp }];
  if (text === undefined) return [];
  const listOp = listOperators.find((name) => name === op);
  if (listOp !== undefined) return [{ field, op: listOp, value: texts }];
  const textOp = textOperators.find((name) => name === op);
  return textOp === undefined ? [] : [{ field, op: textOp, value: text }];
}

function textsOf(value: SegmentFilter["value"]): string[] {
  const { kind } = value ?? {};
  if (kind?.case === "listValue") return kind.value.values.flatMap(textsOf);
  if (kind?.case === "numberValue") return [String(kind.value)];
  return kind?.case === "stringValue" ? [kind.value] : [];
}

/** Whether filters are those of a segment, in any order. */
export function hasSameFilters(filters: readonly ViewFilter[], segment: SavedSegment): boolean {
  const written = (all: readonly ViewFilter[]) => all.map(writeFilter).sort().join("\n");
  return written(filters) === written(segment.filters);
}
