import type { Positions } from "../kafka/positions.ts";

/** What a consumer finds at its start, by partition. */
export type Found = {
  /** Offsets up to which QuestDB has stored the log; empty when it has nothing of it. */
  readonly stored: Positions;
  /** Offsets up to which the ids are known; empty when they are not. */
  readonly known: Positions;
  /** The first offsets that the brokers still have, and the end of the log. */
  readonly first: Positions;
  readonly end: Positions;
};

export type Start = {
  /** Where storing begins. */
  readonly from: Positions;
  /** Where reading of ids begins, up to `from`; undefined when all are known. */
  readonly idsFrom: Positions | undefined;
  /** True if the id database belongs to another log; it is rebuilt. */
  readonly forgetsIds: boolean;
  /**
   * Partitions whose messages the brokers deleted before this QuestDB stored them; for an empty one, those without their first
   * messages.
   */
  readonly lost: readonly number[];
};

/**
 * Decides where a consumer begins. For an empty QuestDB at the first message of the log, also for the ids. Otherwise where it
 * stopped, once the ids before that are known. Rows of a lost partition are missing in this QuestDB only.
 */
export function decideStart({ stored, known, first, end }: Found): Start {
  if (stored.size === 0) {
    const lost = [...first].flatMap(([partition, offset]) => (offset > 0n ? partition : []));
    return { from: first, idsFrom: undefined, forgetsIds: true, lost };
  }
  const inAll = (positions: Positions) =>
    new Map([...first.keys()].map((partition) => [partition, positions.get(partition) ?? 0n]));
  const { next: from, deleted: lost } = skipDeleted(inAll(stored), first);
  for (const [partition, firstOffset] of first) {
    const at = from.get(partition) ?? firstOffset;
    // Beyond the end: the topic was deleted and created again.
    if (at > (end.get(partition) ?? at)) from.set(partition, firstOffset);
  }
  const { next: idsFrom } = skipDeleted(inAll(known), first);
  const lacksIds = [...from].some(([partition, offset]) => (idsFrom.get(partition) ?? 0n) < offset);
  return { from, idsFrom: lacksIds ? idsFrom : undefined, forgetsIds: known.size === 0, lost };
}

/** Where reading goes on from positions, and the partitions whose next messages the brokers have deleted. */
export function skipDeleted(at: Positions, first: Positions): { next: Map<number, bigint>; deleted: number[] } {
  const next = new Map(at);
  const deleted: number[] = [];
  for (const [partition, firstOffset] of first)
    if ((at.get(partition) ?? firstOffset) < firstOffset) {
      next.set(partition, firstOffset);
      deleted.push(partition);
    }
  return { next, deleted };
}
