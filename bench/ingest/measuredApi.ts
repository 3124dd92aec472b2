/** The API process, which also writes down its memory every 10 s, after a full collection so that only what is held counts. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readConfig } from "../../src/config.ts";
import { memoryFile } from "./memoryFile.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
const file = join(readConfig(process.env).stack.dataDir, memoryFile);
const startMs = performance.now();

setInterval(() => {
  // The system's figure varies with garbage, so it is read before the collection.
  const { rss } = process.memoryUsage();
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  const atSeconds = (performance.now() - startMs) / 1_000;
  appendFileSync(file, `${JSON.stringify({ atSeconds, rss, heapUsed, external, arrayBuffers })}\n`);
}, 10_000).unref();

await import("../../src/main/api.ts");
