/**
 * `node test/upgrade/makeFixture.ts` makes the fixture of this version beside itself: a DATA_DIR with contents in every store and rows in
 * the log, and the answers about it. Run it once per released version, on x64; the test upgrades every one.
 */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { recordAnswers } from "./answers.ts";
import { fill, sendLate } from "./contents.ts";
import { pack } from "./fixtureFile.ts";
import { readCredentials, startOn } from "./upgradeStack.ts";

const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const fileOf = (name: string) => new URL(name, import.meta.url).pathname;

const dataDir = await mkdtemp(join(tmpdir(), "lookout-fixture-"));
// PostgreSQL may run as another user, who has to pass.
await chmod(dataDir, 0o711);
try {
  const filling = await startOn(dataDir);
  const credentials = await readCredentials(dataDir);
  const contents = await fill(filling.config.server.baseUrl, credentials);
  // What QuestDB does not take stays in the log.
  await filling.kill("questdb");
  await sendLate(filling.config.server.baseUrl, credentials);
  await filling.kill("api");
  await filling.stop();
  await pack(dataDir, fileOf(`data-${version}.tar.zst`));

  const stack = await startOn(dataDir);
  const record = () => recordAnswers(stack.config.server.baseUrl, credentials, contents);
  let recorded = await record();
  // Until the rows of the log are stored and the sessions and daily records computed.
  for (let last: unknown; !isDeepStrictEqual(last, recorded); recorded = await record()) {
    last = recorded;
    await pause(30_000);
  }
  await stack.stop();
  await writeFile(fileOf(`answers-${version}.json`), `${JSON.stringify({ credentials, recorded }, null, 1)}\n`);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
