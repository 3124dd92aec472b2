import type { IncomingMessage } from "node:http";
import { poll } from "../../../src/concurrency/poll.ts";
import { beginExport } from "./beginExport.ts";

/**
 * Reads rows of a table for as long as a test wants, so that QuestDB keeps their files: an export over HTTP of far more than fits
 * into the socket, which is not read to its end. Resolves when QuestDB has the files open, to a function that ends the read.
 */
export async function holdPartition(table: string, condition: string): Promise<() => void> {
  const query = `SELECT t.* FROM ${table} t CROSS JOIN long_sequence(100000000) WHERE ${condition}`;
  return await poll(async () => {
    const { response, end } = await beginExport(query);
    const text = await beginningOf(response);
    if (response.statusCode === 200 && hasRow(text)) return end;
    end();
    // As many exports as QuestDB lets run at once belong to other tests.
    if (response.statusCode === 429) return undefined;
    throw new Error(`No row of ${table} could be held: ${text}`);
  }, AbortSignal.timeout(60_000));
}

/** What comes until the first row, or until the end. */
function beginningOf(response: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
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
