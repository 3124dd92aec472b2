import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { AccessCall } from "../../access/authorize.ts";
import { clientNetwork } from "../../access/rateLimit/clientNetwork.ts";
import { readmit } from "../../access/readmit.ts";
import type { CallContext } from "../../call/callContext.ts";
import { unavailable } from "../../errors/errors.ts";
import type { WatchReply } from "../../gen/lookout/services.ts";
import { type QueryRequest, QueryRequestSchema, type WatchRequest } from "../../gen/lookout/v1/query_pb.ts";
import {
  type AnsweredParameter,
  type AnswerFrame,
  answerMessage,
  collect,
  parameterTexts,
} from "../answer/queryAnswer.ts";
import type { QueryCall } from "../queryCall.ts";
import { accessDenied, resolveProject, websiteProject, websitesProject } from "../request/project.ts";
import { startQueries } from "../request/query.ts";
import type { EventChanges } from "./eventChanges.ts";
import { requireFreeSlot } from "./watchSlots.ts";

/** A call that watches for new events. */
type WatchCall = QueryCall & AccessCall & CallContext<{ readonly changes: EventChanges }>;

/**
 * Answers a query, and again whenever new events have changed the answer, until the caller leaves. Access is checked
 * again at each poll, about once a second. Sends an empty message when the stream was quiet for as long as the request says.
 *
 * Throws what `query` throws, at any time; RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE for too many watches, and
 * SERVICE_UNAVAILABLE when the service stops.
 */
export async function* watch(
  { websiteId, websiteIds: several, organizationId, timezone, query, keepAliveSeconds }: WatchRequest,
  call: WatchCall,
): AsyncGenerator<WatchReply> {
  if (query === undefined) throw new Error("the contract lets no request without a query pass");
  const request = create(QueryRequestSchema, {
    websiteId,
    websiteIds: several,
    organizationId,
    timezone,
    query,
  });
  const { changes } = call.app;
  const { websiteIds, publicOnly } = await resolveProject(request, call);
  const watched = { websiteIds, strangerAt: publicOnly ? clientNetwork(call) : undefined };
  requireFreeSlot(watched, changes.watched, call.app.config.watch);
  const news = changes.watch(watched);
  try {
    const quietMs = keepAliveSeconds === undefined ? Number.POSITIVE_INFINITY : keepAliveSeconds * 1_000;
    let sentAtMs = performance.now();
    let sent: string | undefined;
    let state = "changed";
    while (state !== "closed") {
      if (state === "changed") {
        const { frame, answers } = await startQueries(request, call);
        const answered = await collect(answers((one) => one));
        const digest = await digestOf(frame, answered);
        if (digest !== sent) {
          const { single: answer } = await answerMessage(frame, answered, call.isBinary);
          if (answer !== undefined) yield { answer };
          sentAtMs = performance.now();
        }
        sent = digest;
      }
      state = await news.next(call.signal);
      await readmit(call, "read:data");
      await requireProject(request, call);
      if (state === "same" && performance.now() - sentAtMs >= quietMs) {
        yield {};
        sentAtMs = performance.now();
      }
    }
  } finally {
    news.stop();
  }
  if (!call.signal.aborted) throw unavailable("The service is stopping. Watch again in a few seconds", 2);
}

/** The same for equal rows. Rows that have become consistent are not sent again, and neither is the time that passes. */
async function digestOf(frame: AnswerFrame, answered: readonly AnsweredParameter[]): Promise<string> {
  const hash = createHash("sha256");
  for (const one of answered) for (const piece of await parameterTexts(one)) hash.update(piece);
  for (const { meta, hints } of frame.queries) {
    const unknown = (meta.unknown ?? []).filter(({ reason }) => reason !== "future");
    hash.update(JSON.stringify([{ ...meta, unknown }, await hints()]));
  }
  return hash.digest("base64");
}

/**
 * What is watched may have been deleted or made private, and the caller may have left its organization. Rejects with
 * ACCESS_DENIED. The websites of an organization are listed again with each answer only.
 */
async function requireProject({ websiteId, websiteIds, organizationId }: QueryRequest, call: WatchCall): Promise<void> {
  if (organizationId !== "" && call.caller?.organizationId !== organizationId) throw accessDenied();
  if (websiteId !== "") await websiteProject(websiteId, call);
  else if (websiteIds.length > 0) await websitesProject(websiteIds, call);
}
