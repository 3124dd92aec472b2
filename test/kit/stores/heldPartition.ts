import { once } from "node:events";
import { request } from "node:http";
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
  const reading = request(url, { headers });
  // It ends by being destroyed.
  reading.on("error", () => undefined);
  reading.end();
  const [response] = await once(reading, "response");
  response.on("error", () => undefined);
  // The first line names the columns; QuestDB opens the files for the first row.
  for (let text = ""; text.trimEnd().split("\n").length < 2; ) {
    await once(response, "readable");
    const chunk: Buffer | null = response.read();
    if (chunk === null) throw new Error(`No row of ${table} could be held`);
    text += chunk.toString();
  }
  return () => reading.destroy();
}
