import { createServer } from "node:net";
import { expect, test } from "vitest";
import { countMaps, findQuestdbProcess } from "../../src/store/questdb/mapCount.ts";

test("8: the mappings of a process are counted, and what has ended or cannot be seen has no count", async () => {
  expect(await countMaps(process.pid)).toBeGreaterThan(20);
  expect(await countMaps(4_194_305)).toBeUndefined();
});

test("8: another server on the port is not taken for QuestDB, nor a port without a server", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  try {
    expect(await findQuestdbProcess(port)).toBeUndefined();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  expect(await findQuestdbProcess(port)).toBeUndefined();
});
