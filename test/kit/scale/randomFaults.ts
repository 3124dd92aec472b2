import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ScaleStack } from "../../../stack/scale/scaleStack.ts";
import { chooseInTurn } from "../faults/chooseInTurn.ts";
import type { FailingMaps } from "../faults/failingMaps.ts";
import { flipBits } from "../faults/flipBits.ts";
import { signalFamily } from "../faults/freeze.ts";
import type { SmallDisk } from "../stack/smallDisk.ts";

/**
 * What happens to a part: kill -9, SIGSTOP, kill -9 and an empty disk, kill -9 and one bit of each file of its log changed, a full disk, or
 * mappings of files that fail; after `forMs` it runs again.
 */
export type FaultKind = "kill" | "stop" | "lose" | "flip" | "fill" | "maps";
export type Fault = { readonly kind: FaultKind; readonly part: string; readonly forMs: number };

/** What faults need beside the stack: disks that may be filled, by part, and QuestDBs whose mappings can fail. */
export type ScaleFaultMeans = {
  readonly disks: ReadonlyMap<string, SmallDisk>;
  readonly maps: FailingMaps | undefined;
};

/** Parts whose disk may be lost: others have what it held. */
const canLoseDisk = /^(broker|questdb)-/;
/** QuestDB keeps no checksums of its columns, so only the log of a broker can be mended after a changed bit. */
const hasChecksums = /^broker-/;
/** All of them run on the Java whose mappings fail. */
const allQuestdbs = "questdb";

const shortestMs = 1_500;
const longestMs = 5_500;
/** The free space that a full disk may still have. */
const mostLeftBytes = 16 << 20;

/** As many faults as asked for, the same from the same random numbers. None comes twice before all have come. */
export function chooseFaults(
  random: () => number,
  count: number,
  parts: readonly string[],
  { disks, maps }: ScaleFaultMeans,
): Fault[] {
  const kindsOf = (part: string): FaultKind[] => [
    "kill",
    "stop",
    ...(canLoseDisk.test(part) ? (["lose"] as const) : []),
    ...(hasChecksums.test(part) ? (["flip"] as const) : []),
    ...(disks.has(part) ? (["fill"] as const) : []),
  ];
  const ofParts = parts.flatMap((part) => kindsOf(part).map((kind) => ({ kind, part })));
  const all = maps === undefined ? ofParts : [...ofParts, { kind: "maps" as const, part: allQuestdbs }];
  return chooseInTurn(all, count, random).map((fault) => ({
    ...fault,
    forMs: Math.round(shortestMs + random() * (longestMs - shortestMs)),
  }));
}

/**
 * The newest segment of each partition: a broker compares its checksums when it starts, and fetches what is damaged again. Damage of older
 * ones stays (log.scale.test.ts), and with the next lost disk would be more than a log of three copies survives. So would damage of the
 * cluster's own log.
 */
function checkedSegments(paths: readonly string[]): readonly string[] {
  const newest = new Map<string, string>();
  for (const path of paths.toSorted()) if (!path.includes("__cluster_metadata")) newest.set(dirname(path), path);
  return [...newest.values()];
}

/** Resolves when the part answers again, or when it can use its disk and its mappings again. */
export async function applyFault(
  stack: Pick<ScaleStack, "kill" | "restart" | "loseDisk" | "diskOf" | "processIds">,
  { disks, maps }: ScaleFaultMeans,
  { kind, part, forMs }: Fault,
  random: () => number,
): Promise<void> {
  if (kind === "stop") {
    const ids = stack.processIds(part);
    for (const id of ids) signalFamily(id, "SIGSTOP");
    await pause(forMs);
    for (const id of ids) signalFamily(id, "SIGCONT");
  } else if (kind === "fill") {
    const disk = disks.get(part);
    // With some space left QuestDB takes commits that it then cannot apply, and suspends the table.
    disk?.fill(Math.floor(random() * mostLeftBytes));
    await pause(forMs);
    disk?.free();
  } else if (kind === "maps") {
    await maps?.begin();
    await pause(forMs);
    await maps?.end();
  } else {
    await stack.kill(part);
    if (kind === "lose") await stack.loseDisk(part);
    if (kind === "flip") await flipBits(stack.diskOf(part), random, checkedSegments);
    await pause(forMs);
    await stack.restart(part);
  }
}
