import { setTimeout as pause } from "node:timers/promises";
import type { ScaleStack } from "../../../stack/scale/scaleStack.ts";
import { chooseInTurn } from "../faults/chooseInTurn.ts";
import { signalFamily } from "../faults/freeze.ts";
import { seededRandom } from "../random/seededRandom.ts";

/** What happens to a part: kill -9, SIGSTOP, or kill -9 and an empty disk; after `forMs` it runs again. */
export type Fault = { readonly kind: "kill" | "stop" | "lose"; readonly part: string; readonly forMs: number };

/** Parts whose disk may be lost: others have what it held. */
const canLoseDisk = /^(broker|questdb)-/;

const shortestMs = 1_500;
const longestMs = 5_500;

/** As many faults as asked for, the same for a seed. None comes twice before all have come. */
export function chooseFaults(seed: number, count: number, parts: readonly string[]): Fault[] {
  const random = seededRandom(seed);
  const all = parts.flatMap((part) =>
    (canLoseDisk.test(part) ? (["kill", "stop", "lose"] as const) : (["kill", "stop"] as const)).map((kind) => {
      return { kind, part };
    }),
  );
  return chooseInTurn(all, count, random).map((fault) => ({
    ...fault,
    forMs: Math.round(shortestMs + random() * (longestMs - shortestMs)),
  }));
}

/** Resolves when the part answers again. */
export async function applyFault(
  stack: Pick<ScaleStack, "kill" | "restart" | "loseDisk" | "processIds">,
  { kind, part, forMs }: Fault,
): Promise<void> {
  if (kind === "stop") {
    const ids = stack.processIds(part);
    for (const id of ids) signalFamily(id, "SIGSTOP");
    await pause(forMs);
    for (const id of ids) signalFamily(id, "SIGCONT");
    return;
  }
  await stack.kill(part);
  if (kind === "lose") await stack.loseDisk(part);
  await pause(forMs);
  await stack.restart(part);
}
