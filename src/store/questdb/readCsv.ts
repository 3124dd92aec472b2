import { get as getHttp, type IncomingMessage, type RequestOptions } from "node:http";
import { get as getHttps } from "node:https";
import { json } from "node:stream/consumers";
import { poll } from "../../concurrency/poll.ts";
import { execRequest } from "./execRequest.ts";
import { reasonOf } from "./executeStatement.ts";
import { noteFailedMapping } from "./failedMappings.ts";
import { whenFilesCanBeMapped } from "./mappedFiles.ts";

/** QuestDB stops a statement after this time, which includes waits for the reader; in seconds. */
const statementTimeoutSeconds = 3_600;

/** A connection without a byte for so long is broken; a reader may pause it for a while. */
const silenceMs = 300_000;

/** The status of an answer while as many exports run as QuestDB has cores: those of all workers count. */
const busyStatus = 429;

/**
 * The rows of a SELECT as CSV, as bytes, without a header: fields that QuestDB quotes are texts, with `""` for a quote, and
 * control characters and backslashes as in JSON; an empty one without quotes is null; rows end with CR and LF.
 *
 * It is several times faster than reading rows over the PostgreSQL wire protocol, where each value becomes an object here. Waits while
 * QuestDB runs as many exports as it may.
 *
 * Rejects with the network's error, with QuestDB's error text, and with AbortError when `signal` aborts.
 */
export async function* readCsv(address: string, statement: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { url, headers } = execRequest(address, statement);
  url.pathname = "/exp";
  url.searchParams.set("timeout", String(statementTimeoutSeconds));
  let answer: IncomingMessage | undefined;
  const open = async (): Promise<void> => {
    answer = await poll(async () => {
      const given = await answerTo(url, { headers, timeout: silenceMs, signal });
      if (given.statusCode !== busyStatus) return given;
      given.resume();
      return undefined;
    }, signal);
    const { statusCode } = answer;
    if (statusCode === 200) return;
    const reason = reasonOf(await json(answer), statusCode);
    noteFailedMapping("export", reason, address);
    // Without the statement, which may hold what visitors sent.
    throw new Error(`QuestDB answered "${reason}" to /exp`);
  };
  await whenFilesCanBeMapped(open, () => true, signal);
  // QuestDB closes the connection when it fails after the first row; then this rejects with ECONNRESET.
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of answer ?? []) {
    if (head === undefined) {
      yield piece;
      continue;
    }
    // The names of the columns. Without them (`nm=true`) an answer without rows would never end.
    head = Buffer.concat([head, piece]);
    const endAt = head.indexOf("\r\n");
    if (endAt < 0) continue;
    yield head.subarray(endAt + 2);
    head = undefined;
  }
}

function answerTo(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const get = url.protocol === "https:" ? getHttps : getHttp;
  // Each on a connection of its own: QuestDB may be closing that of an answer before, as it does when it is busy.
  const request = get(url, { ...options, agent: false }, resolve);
  request.on("error", reject);
  request.on("timeout", () =>
    request.destroy(Object.assign(new Error("QuestDB sent nothing for too long"), { code: "ETIMEDOUT" })),
  );
  return promise;
}
