import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { inject } from "vitest";
import { execRequest, readQuestdbAddress } from "../../../src/store/questdb/questdbAddress.ts";

/**
 * Reads rows of a table for as long as a test wants, so that QuestDB keeps their files: an export over HTTP of far more than fits
 * into the socket, which is not read to its end. Resolves when QuestDB has the files open, to a function that ends the read.
 */
export async function holdPartition(table: string, condition: string): Promise<() => void> {
  const query = `SELECT t.* FROM ${table} t CROSS JOIN long_sequence(100000000) WHERE ${condition}`;
  const { url, headers } = execRequest(readQuestdbAddress(inject("lookout").questdbHttp), query);
  url.pathname = "/exp";
  for (let attempt = 1; ; attempt += 1) {
    const reading = request(url, { headers, agent: false });
    // It ends by being destroyed.
    reading.on("error", () => undefined);
    reading.end();
    const [response] = await once(reading, "response");
    const text = await beginningOf(response);
    if (hasRow(text)) return () => reading.destroy();
    reading.destroy();
    // QuestDB ends an export when its table changes before the first row.
    if (attempt === attempts) throw new Error(`No row of ${table} could be held: ${text}`);
    await pause(500);
  }
}

const attempts = 20;

/** What comes until the first row, or until the end. */
function beginningOf(response: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  response.on("error", () => undefined);
  response.on("close", () => resolve(text));
  response.on("data", (piece: Buffer) => {
    text += piece.toString();
    if (!hasRow(text)) return;
    response.pause();
    resolve(text);
  });
  return promise;
}

/** The first line names the columns; QuestDB opens the files for the first row. */
function hasRow(text: string): boolean {
  return text.trimEnd().split("\n").length >= 2;
}
