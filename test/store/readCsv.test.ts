import { afterEach, expect, inject, test } from "vitest";
import { readCsv } from "../../src/store/questdb/readCsv.ts";
import { beginExport } from "../kit/stores/beginExport.ts";

const address = inject("lookout").questdbHttp;
const held: (() => void)[] = [];

afterEach(() => {
  for (const end of held.splice(0)) end();
});

/** Begins an export that never ends, since its rows are not read; resolves to the status of its answer. */
async function hold(): Promise<number | undefined> {
  const { response, end } = await beginExport("SELECT x FROM long_sequence(1000000000)");
  held.push(end);
  return response.statusCode;
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
