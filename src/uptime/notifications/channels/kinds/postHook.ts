import type { BlockList } from "node:net";
import { openConnection, type Phase } from "../../../../outbound/connection.ts";
import { exchange } from "../../../../outbound/exchange.ts";
import { failureText } from "../../../../outbound/failureText.ts";
import { readOutboundUrl } from "../../../../outbound/readOutboundUrl.ts";
import type { AttemptOutcome, ChannelKindRules } from "./channelKind.ts";

/** What all kinds of hooks have in common. */
export const hookTarget: Pick<ChannelKindRules, "readTarget" | "shownTarget"> = {
  readTarget: (target, { uptime }) => readOutboundUrl(target, "target", uptime.allowedRanges),
  // The path of a hook is a secret.
  shownTarget: (target) => new URL(target).host,
};

/** Standard Webhooks 1.0 asks for 15 to 30 s; a slow receiver should answer first and work afterwards. */
const timeoutMs = 10_000;
/** The body of the answer is not needed. */
const maxBodyBytes = 1_024;

/**
 * Posts JSON to a hook over a fresh connection. A status from 200 to 299 means delivered, 410 (Gone) refused,
 * everything else failed, including redirects, which are not followed. The name is resolved once; addresses that are
 * not public, nor in the ranges `allowed`, and invalid certificates are refused. Only an abort by the caller rejects.
 */
export async function postHook(
  target: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  settings: { readonly allowed: BlockList; readonly signal: AbortSignal },
): Promise<AttemptOutcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, settings.signal]);
  let phase: Phase = "resolving the name";
  let status: number | undefined;
  const onPhase = (now: Phase) => {
    phase = now;
  };
  try {
    const url = new URL(target);
    const protocols = ["http/1.1"];
    const connection = await openConnection(url, { family: 0, allowed: settings.allowed, signal, protocols, onPhase });
    const problem = connection.certificate?.problem;
    if (problem !== undefined) {
      connection.socket.destroy();
      return { kind: "failed", error: problem };
    }
    await exchange(connection, {
      url,
      method: "POST",
      headers: {
        "user-agent": "Lookout-Notices/1.0",
        accept: "*/*",
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        ...headers,
      },
      body,
      maxBodyBytes,
      signal,
      onPhase,
      onStatus: (answered) => {
        status = answered;
      },
    });
  } catch (failure) {
    settings.signal.throwIfAborted();
    // The status decides: a receiver that breaks off after it has accepted the message.
    if (status !== undefined) return outcomeOf(status);
    const error = timeout.aborted ? `no answer within ${timeoutMs} ms, while ${phase}` : failureText(failure);
    return { kind: "failed", error };
  }
  return status === undefined ? { kind: "failed", error: "the hook gave no answer" } : outcomeOf(status);
}

function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410) return { kind: "refused", error: "the hook answered 410: it accepts no more messages" };
  const isRedirect = status >= 300 && status < 400;
  return { kind: "failed", error: `the hook answered ${status}${isRedirect ? "; redirects are not followed" : ""}` };
}
