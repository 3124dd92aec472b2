import http from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { execRequest } from "./execRequest.ts";

/**
 * Connections that never go through a proxy. With NODE_USE_ENV_PROXY, Node's global agents and fetch send requests to the proxy of
 * HTTP_PROXY, which would then see statements with the data of visitors, and may not reach a QuestDB of the internal network.
 */
const agents = { http: new http.Agent(), https: new https.Agent() };

/** The status and the text of QuestDB's answer to a statement. Rejects with the signal's reason when it aborts. */
export async function askQuestdb(
  address: string,
  statement: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: string }> {
  const { url, headers } = execRequest(address, statement);
  const [get, agent] = url.protocol === "https:" ? [https.get, agents.https] : [http.get, agents.http];
  try {
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      get(url, { agent, headers, signal }, resolve).once("error", reject);
    });
    return { status: answer.statusCode ?? 0, body: await text(answer) };
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`QuestDB does not answer at ${url.origin}`, { cause: error });
  }
}
