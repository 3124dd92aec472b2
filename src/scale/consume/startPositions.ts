import type { Positions } from "../kafka/topicReader.ts";

/** What a consumer finds at its start, by partition. */
export type Found = {
  /** Up to where QuestDB has stored the log; empty when it has nothing of it. */
  readonly stored: Positions;
  /** Up to where the ids are known; empty when they are not. */
  readonly known: Positions;
  /** The first message that the brokers still have, and where the log ends. */
  readonly first: Positions;
  readonly end: Positions;
};

export type Start = {
  /** From where rows are stored. */
  readonly from: Positions;
  /** From where the ids are read before, up to `from`; undefined when all are known. */
  readonly idsFrom: Positions | undefined;
  /** Whether the ids are those of another history, and are made again from nothing. */
  readonly forgetsIds: boolean;
  /** Partitions of which the brokers have deleted messages before they were stored, an empty QuestDB nothing of them. */
  readonly lost: readonly number[];
};

/**
 * Where a consumer begins. An empty QuestDB takes the log from its first message on, with the ids from there too. Otherwise it
 * goes on where it stopped, once the ids before that are known. Rows of a lost partition are missing in QuestDB, and only there.
 */
export function decideStart({ stored, known, first, end }: Found): Start {
  if (stored.size === 0) {
    const lost = [...first].flatMap(([partition, offset]) => (offset > 0n ? partition : []));
    return { from: first, idsFrom: undefined, forgetsIds: true, lost };
  }
  const from = new Map<number, bigint>();
  const lost: number[] = [];
  for (const [partition, firstOffset] of first) {
    const at = stored.get(partition) ?? 0n;
    // Behind the end: the topic was deleted and made again.
    const isElsewhere = at > (end.get(partition) ?? at);
    if (at < firstOffset) lost.push(partition);
    from.set(partition, at < firstOffset || isElsewhere ? firstOffset : at);
  }
  const idsFrom = new Map([...first].map(([partition, offset]) => [partition, largest(known.get(partition), offset)]));
  const lacksIds = [...from].some(([partition, offset]) => (idsFrom.get(partition) ?? 0n) < offset);
  return { from, idsFrom: lacksIds ? idsFrom : undefined, forgetsIds: known.size === 0, lost };
}

function largest(a: bigint | undefined, b: bigint): bigint {
  return a !== undefined && a > b ? a : b;
}
