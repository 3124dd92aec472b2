import { create, type DescMethodUnary, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type { PoolClient } from "pg";
import { authRequired } from "../access/authorize.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import { type KeptAnswer, KeptAnswers, lockKey } from "./keptAnswers.ts";
import { inFlight, otherRequest } from "./keyErrors.ts";
import { keyedRequest } from "./keyedRequest.ts";
import type { OnceCall } from "./onceCall.ts";
import { readIdempotencyKey } from "./readIdempotencyKey.ts";

/**
 * Commits what a call creates: runs `work` in a PostgreSQL transaction, and commits it together with the answer that
 * `answerOf` makes of the result. Rolls back and rethrows if one of them throws.
 */
export type Commit<Reply> = <Made>(
  work: (client: PoolClient) => Promise<Made>,
  answerOf: (made: Made, client: PoolClient) => Promise<Reply> | Reply,
) => Promise<{ made: Made; reply: Reply }>;

/** Carries a call out. It commits its change with `commit`. */
type Make<Request, Call, Reply> = (request: Request, call: Call, commit: Commit<Reply>) => Promise<Reply>;

/** What is known of a call besides its method. */
type Options = { readonly acrossOrganizations?: boolean };

/**
 * The handler of a call that creates something, so that calls with the same idempotency key create it once: the key is kept if and only if
 * the object exists. What `make` answers in the end may differ from what it committed, such as whether a mail was sent: the last answer is
 * kept then.
 *
 * It rejects with what `make` rejects with; with VALIDATION_ERROR for a key that is none and, with status 422, for a key that came
 * with another request; and with CONFLICT while another call with the key is being carried out.
 */
export function once<
  Method extends DescMethodUnary,
  Request extends { readonly idempotencyKey?: string | undefined },
  Call extends OnceCall,
  Reply extends MessageInitShape<Method["output"]>,
>(method: Method, make: Make<Request, Call, Reply>, options: Options = {}) {
  return (request: Request, call: Call): Promise<Reply> =>
    answerOnce(method, request, call, (commit) => make(request, call, commit), options);
}

async function answerOnce<Method extends DescMethodUnary, Reply extends MessageInitShape<Method["output"]>>(
  method: Method,
  request: { readonly idempotencyKey?: string | undefined },
  call: OnceCall,
  make: (commit: Commit<Reply>) => Promise<Reply>,
  { acrossOrganizations = false }: Options,
): Promise<Reply> {
  const { postgres, keyring, log } = call.app;
  if (call.caller === undefined) throw authRequired();
  const key = readIdempotencyKey(call.header("idempotency-key"), request.idempotencyKey);
  if (key === undefined)
    return await make((work, answerOf) =>
      inTransaction(postgres, async (client) => {
        const made = await work(client);
        return { made, reply: await answerOf(made, client) };
      }),
    );
  const keyed = keyedRequest(method, request, { key, caller: call.caller, acrossOrganizations });
  const answers = new KeptAnswers(keyring);
  const encode = (reply: Reply) =>
    Buffer.from(toBinary(method.output, create(method.output, reply))).toString("base64");
  const repeat = ({ fingerprint, answer }: KeptAnswer): Reply => {
    if (fingerprint !== keyed.fingerprint) throw otherRequest();
    call.setHeader("idempotency-replayed", "true");
    // The type system cannot see that the answers of a method are of one type.
    return fromBinary(method.output, Buffer.from(answer, "base64")) as object as Reply;
  };
  let kept: string | undefined;
  const commit: Commit<Reply> = async (work, answerOf) => {
    const committed = await inTransaction(postgres, async (client) => {
      // An answer that exists by now is that of another request, which held the lock before.
      if (!(await lockKey(client, keyed.id)) || (await answers.find(client, keyed.id)) !== undefined) throw inFlight();
      const made = await work(client);
      const reply = await answerOf(made, client);
      await answers.keep(client, keyed, encode(reply));
      return { made, reply };
    });
    kept = encode(committed.reply);
    return committed;
  };

  const before = await answers.find(postgres, keyed.id);
  if (before !== undefined) return repeat(before);
  const reply = await make(commit).catch(async (error: unknown) => {
    if (kept !== undefined) throw error;
    // What failed may have failed because another call with the key was faster, such as for a name that is taken since.
    const first = await answers.find(postgres, keyed.id).catch(() => undefined);
    if (first === undefined) throw error;
    return repeat(first);
  });
  if (kept === undefined) return reply;
  const last = encode(reply);
  if (last !== kept)
    await answers.replace(postgres, keyed, last).catch((error: unknown) => {
      log.warn(
        { err: error, rpc: method.name, requestId: call.requestId },
        "the last answer to an idempotency key is not kept, only its first",
      );
    });
  return reply;
}
