import { request } from "node:http";
import { afterEach, expect, inject, test } from "vitest";
import { execRequest, readQuestdbAddress } from "../../src/store/questdb/questdbAddress.ts";
import { readCsv } from "../../src/store/questdb/readCsv.ts";

const address = readQuestdbAddress(inject("lookout").questdbHttp);
const held: (() => void)[] = [];

afterEach(() => {
  for (const end of held.splice(0)) end();
});

/** Begins an export that never ends, since its rows are not read; resolves to the status of its answer. */
function hold(): Promise<number> {
  const { url, headers } = execRequest(address, "SELECT x FROM long_sequence(1000000000)");
  url.pathname = "/exp";
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const reading = request(url, { headers, agent: false }, (response) => {
    response.on("error", () => undefined);
    resolve(response.statusCode ?? 0);
  });
  // It ends by being destroyed, when its answer is there.
  reading.on("error", reject);
  reading.end();
  held.push(() => reading.destroy());
  return promise;
}

async function rowsOf(statement: string, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readCsv(address, statement, signal)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test("4.18 an export waits while QuestDB runs as many as it may, and can be cancelled meanwhile", async () => {
  while ((await hold()) === 200) expect(held.length).toBeLessThan(100);
  let isOver = false;
  const waiting = rowsOf("SELECT x FROM long_sequence(2)", new AbortController().signal).finally(() => {
    isOver = true;
  });
  const cancelling = AbortSignal.timeout(1_500);
  await expect(rowsOf("SELECT x FROM long_sequence(2)", cancelling)).rejects.toThrow(/abort/i);
  expect(isOver).toBe(false);
  for (const end of held.splice(0)) end();
  expect(await waiting).toBe("1\r\n2\r\n");
});
