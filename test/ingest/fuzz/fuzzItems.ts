import { type DescMessage, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { EngagementSchema, NamedEventSchema } from "../../../src/gen/lookout/v1/clients_pb.ts";
import { CustomEventSchema, EventSchema, FlatEventSchema } from "../../../src/gen/lookout/v1/ingest_pb.ts";
import { LlmCallSchema } from "../../../src/gen/lookout/v1/llm_calls_pb.ts";
import { ScriptErrorSchema } from "../../../src/gen/lookout/v1/script_errors_pb.ts";
import { VitalSchema } from "../../../src/gen/lookout/v1/vitals_pb.ts";
import { Random } from "../../kit/messages/random.ts";
import { taggedJson } from "../../kit/messages/taggedJson.ts";
import { validMessage } from "../../kit/messages/validMessage.ts";
import { changedFields, spoilItem } from "./fuzzMutations.ts";

/** A path that accepts items, in a list unless `single`. */
export type Path = {
  readonly path: string;
  readonly item: DescMessage;
  readonly single?: boolean;
  /** Adds what the service requires beyond the rules of the contract. */
  readonly complete?: (content: JsonObject) => void;
};

export const flatPath: Path = { path: "/", item: FlatEventSchema, single: true, complete: completeFlat };

export const listPaths: readonly Path[] = [
  { path: "/batch", item: EventSchema, complete: completeFlat },
  { path: "/track", item: CustomEventSchema },
  { path: "/vitals", item: VitalSchema, complete: completeVital },
  { path: "/errors", item: ScriptErrorSchema },
  { path: "/llm", item: LlmCallSchema },
  { path: "/events", item: NamedEventSchema },
  { path: "/engagement", item: EngagementSchema },
];

/** An item as text, and what is expected of it. `marker` is found in its rows; undefined if a mutation made that impossible. */
export type FuzzItem = {
  readonly text: string;
  readonly isGood: boolean;
  readonly marker: string | undefined;
  /** Names of the fields that were changed; empty when the item itself is no object. */
  readonly changed: ReadonlySet<string>;
};

/** Valid items have this time or none: each further day would be another partition in the store. */
const dayMs = Date.UTC(2026, 0, 16);

/** How many valid items of a path are generated; generating one from its descriptor takes as long as sending it. */
const itemsOfPath = 400;

/** As text, which is copied by reading it in a third of the time that structuredClone takes. */
const madeItems = new Map<Path, readonly string[]>();

/** A valid item that carries the marker wherever its rows may show it. */
export function goodItem(path: Path, random: Random, marker: string, timestamp = dayMs): JsonObject {
  const made = madeItems.get(path) ?? makeItems(path);
  madeItems.set(path, made);
  const json: JsonObject = JSON.parse(random.pick(made));
  const content = contentOf(json);
  if ("timestamp" in content) content["timestamp"] = timestamp + random.whole(0, 1_000);
  content["eventId"] = marker;
  content["sessionId"] = marker;
  return json;
}

/** The same ones in each run, so that a body can be reproduced from its seed alone. */
function makeItems({ item, complete }: Path): string[] {
  const random = new Random(1);
  return Array.from({ length: itemsOfPath }, () => {
    const json = taggedJson(item, toJson(item, validMessage(item, random)));
    if (!isObject(json)) throw new Error(`${item.typeName} is no object`);
    complete?.(contentOf(json));
    return JSON.stringify(json);
  });
}

export function fuzzItem(path: Path, random: Random, spoiledShare: number): FuzzItem {
  const marker = `fz-${random.whole(0, 2 ** 31)}-${random.whole(0, 2 ** 31)}`;
  const good = goodItem(path, random, marker);
  const goodText = JSON.stringify(good);
  if (!random.chance(spoiledShare)) return { text: goodText, isGood: true, marker, changed: new Set() };
  const text = spoilItem(path.item, good, random);
  const changed = changedFields(goodText, text);
  const hasMarker = !changed.has("eventId") && !changed.has("sessionId") && !changed.has("");
  return { text, isGood: changed.size === 0, marker: hasMarker ? marker : undefined, changed };
}

/** The fields of an item, also of one that is written as {type, payload}. */
function contentOf(json: JsonObject): JsonObject {
  const { payload } = json;
  return isObject(payload) ? payload : json;
}

function completeFlat(content: JsonObject): void {
  content["name"] ||= "signup";
  if (content["type"] === "outgoing_link") content["href"] ||= "https://other.example/";
}

function completeVital(content: JsonObject): void {
  if (content["metricName"] === undefined) content["lcp"] ??= 1;
  else content["metricValue"] ??= 1;
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
