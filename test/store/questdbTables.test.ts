import { once } from "node:events";
import { createServer } from "node:net";
import { pino } from "pino";
import { expect, inject, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { prepareQuestdbTables } from "../../src/store/questdb/questdbTables.ts";

const silent = pino({ level: "silent" });

test("2: existing tables are not changed", async () => {
  const { questdb } = readConfig({ QUESTDB_HTTP: inject("lookout").questdbHttp });
  await prepareQuestdbTables(questdb, silent, AbortSignal.timeout(20_000));
});

test("2: a start waits for QuestDB until it is stopped", async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { questdb } = readConfig({ QUESTDB_HTTP: `http://127.0.0.1:${port}` });
  const stop = new AbortController();
  let attempts = 0;
  const log = {
    warn() {
      attempts += 1;
      if (attempts === 3) stop.abort(new Error("stopped"));
    },
  };
  await expect(prepareQuestdbTables(questdb, log, stop.signal)).rejects.toThrow();
  expect(attempts).toBe(3);
  server.close();
});
