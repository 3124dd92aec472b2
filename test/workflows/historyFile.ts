import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { History } from "@temporalio/common/lib/proto-utils.js";

// The SDK's own reader takes another copy of protobufjs than its message types, if npm installs one for each, and then finds none.
const requireAsTypesDo = createRequire(import.meta.resolve("@temporalio/proto"));
const { fromJson }: { fromJson: (type: unknown, json: unknown) => History } =
  requireAsTypesDo("protobufjs/ext/protojson");
const { temporal }: { temporal: { api: { history: { v1: { History: unknown } } } } } =
  requireAsTypesDo("@temporalio/proto");

/** The history in a file that `temporal workflow show --output json` wrote. */
export async function readHistory(file: URL): Promise<History> {
  const json: unknown = JSON.parse(await readFile(file, "utf8"));
  return fromJson(temporal.api.history.v1.History, json);
}
