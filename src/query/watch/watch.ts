import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { authenticate, requireScope } from "../../access/authorize.ts";
import { rateLimitExceeded, unavailable } from "../../errors.ts";
import type { WatchReply } from "../../gen/lookout/services.ts";
import { QueryRequestSchema, type WatchRequest } from "../../gen/lookout/v1/query_pb.ts";
import {
  type AnsweredParameter,
  type AnswerFrame,
  answerMessage,
  answerTexts,
  collect,
  parameterTexts,
} from "../answer/queryAnswer.ts";
import type { WatchCall } from "../queryCall.ts";
import { resolveProject } from "../request/project.ts";
import { startQueries } from "../request/query.ts";

/**
 * Answers a query, and again whenever new events have changed the answer, until the caller leaves. Access is checked
 * again at each poll, about once a second.
 *
 * Throws what `query` throws, at any time; RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE for too many watches, and
 * SERVICE_UNAVAILABLE when the service stops.
 */
export async function* watch(
  { websiteId, organizationId, timezone, query }: WatchRequest,
  call: WatchCall,
): AsyncGenerator<WatchReply> {
  if (query === undefined) throw new Error("the contract lets no request without a query pass");
  const request = create(QueryRequestSchema, { websiteId, organizationId, timezone, query });
  const { changes } = call.app;
  const { websiteIds } = await resolveProject(request, call);
  requireFreeSlot(websiteIds, call);
  const news = changes.watch(websiteIds);
  try {
    let sent: string | undefined;
    let state = "changed";
    while (state !== "closed") {
      if (state === "changed") {
        const { frame, answers } = await startQueries(request, call);
        const answered = await collect(answers((one) => one));
        const digest = await digestOf(frame, answered);
        if (digest !== sent) {
          const { single: answer } = await answerMessage(frame, each(answered), call.isBinary);
          if (answer !== undefined) yield { answer };
        }
        sent = digest;
      }
      state = await news.next(call.signal);
      await reauthorize(call);
    }
  } finally {
    news.stop();
  }
  if (!call.signal.aborted) throw unavailable("The service is stopping. Watch again in a few seconds", 2);
}

/** The same for equal rows. Rows that have become consistent are not sent again. */
async function digestOf(frame: AnswerFrame, answered: readonly AnsweredParameter[]): Promise<string> {
  const hash = createHash("sha256");
  const texts = async function* () {
    for (const one of answered) yield await parameterTexts(one);
  };
  for await (const piece of answerTexts({ ...frame, isConsistent: async () => true }, texts())) hash.update(piece);
  return hash.digest("base64");
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function requireFreeSlot(websiteIds: readonly string[], { app: { changes, config } }: WatchCall): void {
  const { maxStreams, maxStreamsPerWebsite } = config.watch;
  if (websiteIds.some((id) => changes.sizeOf(id) >= maxStreamsPerWebsite))
    throw rateLimitExceeded("This website is watched too often already. End other watches first", {
      limit: maxStreamsPerWebsite,
      waitMs: 10_000,
    });
  if (changes.size >= maxStreams) throw unavailable("Too much is watched already. Try again in a few seconds", 10);
}

/** A key may have been revoked or changed since the stream began; its access is checked with each answer. */
async function reauthorize(call: WatchCall): Promise<void> {
  if (call.caller === undefined || call.signal.aborted) return;
  const caller = await authenticate(call);
  if (caller === undefined) return;
  requireScope(caller, "read:data");
  call.caller = caller;
}
