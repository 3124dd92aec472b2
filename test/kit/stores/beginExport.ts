import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { inject } from "vitest";
import { execRequest } from "../../../src/store/questdb/execRequest.ts";

/** An export of QuestDB that has begun; it goes on as its answer is read. */
export type BegunExport = { readonly response: IncomingMessage; end(): void };

/** Begins to export the rows of a statement over HTTP, on a connection of its own. Resolves when QuestDB answers, whatever its status. */
export async function beginExport(statement: string): Promise<BegunExport> {
  const { url, headers } = execRequest(inject("lookout").questdbHttp, statement);
  url.pathname = "/exp";
  const reading = request(url, { headers, agent: false });
  // It ends by being destroyed.
  reading.on("error", () => undefined);
  reading.end();
  const [response] = await once(reading, "response");
  response.on("error", () => undefined);
  return { response, end: () => reading.destroy() };
}
