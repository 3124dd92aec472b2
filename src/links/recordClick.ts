import type { CallContext } from "../gateway/callContext.ts";
import type { Agent } from "../ingest/userAgent.ts";
import type { Link } from "./link.ts";
import { SeenClick } from "./seenClick.ts";
import type { Target } from "./targets.ts";

/**
 * Keeps a click. Resolves when it survives the end of this process, with false for one that cannot be kept, which is counted as lost and
 * logged: its visitor would be no better off for not being led on.
 */
export function recordClick(link: Link, target: Target, agent: Agent, call: CallContext): Promise<boolean> {
  const { salt, clicks } = call.app;
  const timeMs = Date.now();
  const known = salt.known(timeMs);
  if (known !== undefined) return clicks.append(new SeenClick(timeMs, link, target, agent, known, call));
  return salt
    .at(timeMs)
    .catch(() => undefined)
    .then((daily) => clicks.append(new SeenClick(timeMs, link, target, agent, daily, call)));
}
