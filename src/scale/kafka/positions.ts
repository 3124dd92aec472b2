import type { Offsets } from "../../durableLog/offsets.ts";

/** By partition: everything before this offset is read. */
export type Positions = ReadonlyMap<number, bigint>;

/** Positions in the form for JSON. */
export function offsetsOf(positions: Positions): Offsets {
  return Object.fromEntries([...positions].map(([partition, offset]) => [partition, String(offset)]));
}

export function positionsOf(offsets: Offsets): Positions {
  return new Map(Object.entries(offsets).map(([partition, offset]) => [Number(partition), BigInt(offset)]));
}

/** Whether positions are nowhere before others. */
export function isAtLeast(positions: Positions, others: Positions): boolean {
  return [...others].every(([partition, offset]) => (positions.get(partition) ?? 0n) >= offset);
}
