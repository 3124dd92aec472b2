import { gzipSync } from "node:zlib";
import { type DescMessage, toJson } from "@bufbuild/protobuf";
import { IdentifyRequestSchema } from "../../../src/gen/lookout/v1/clients_pb.ts";
import type { Random } from "../../kit/messages/random.ts";
import { validMessage } from "../../kit/messages/validMessage.ts";
import { type FuzzItem, flatPath, fuzzItem, goodItem, listPaths, type Path } from "./fuzzItems.ts";
import { spoilItem } from "./fuzzMutations.ts";

/** A request and the expected answer: the result of each item, or only that it is no internal error. */
export type FuzzBody = {
  readonly verb: "POST" | "GET";
  /** With its query string. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly kind: "list" | "single" | "picture" | "unknown";
  /** Of `list` and `single`. */
  readonly items: readonly FuzzItem[];
};

const browser =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";

const mediaTypes = [
  "text/plain;charset=UTF-8",
  "application/octet-stream",
  "application/json; charset=utf-16",
  "x",
  "",
];

/** A time that stays in the future, and so is stored as now, even if one of its digits changes. */
const farMs = 253_402_300_000_000;

/** The request of a seed. `websiteId` is a website that accepts it. */
export function fuzzBody(random: Random, websiteId: string): FuzzBody {
  const make = random.fraction();
  if (make < 0.7) return itemsBody(random, websiteId);
  if (make < 0.76) return singleBody(random, websiteId);
  if (make < 0.8) return pictureRequest(random, websiteId);
  if (make < 0.82) return identifyBody(random);
  if (make < 0.93) return brokenText(random, websiteId);
  if (make < 0.95) return otherBody(random, websiteId);
  if (make < 0.97) return otherHeaders(random, websiteId);
  return otherAddress(random, websiteId);
}

function request(target: string, body: string | Buffer, more: Partial<FuzzBody> = {}): FuzzBody {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const headers = { "content-type": "application/json", "user-agent": browser, ...more.headers };
  return { verb: "POST", target, kind: "unknown", items: [], ...more, body: bytes, headers };
}

const named = (path: Path, websiteId: string) => `${path.path}?website_id=${websiteId}`;

function itemsBody(random: Random, websiteId: string): FuzzBody {
  const path = random.pick(listPaths);
  const isLong = random.chance(0.02);
  const count = isLong ? random.whole(80, 100) : random.whole(1, 5);
  const items = Array.from({ length: count }, () => fuzzItem(path, random, isLong ? 0.1 : 0.5));
  const space = random.chance(0.05) ? "\ufeff \r\n\t" : "";
  const body = `${space}[${items.map(({ text }) => text).join(",")}]`;
  const headers: Record<string, string> = random.chance(0.1) ? { "content-type": random.pick(mediaTypes) } : {};
  return request(named(path, websiteId), body, { kind: "list", items, headers });
}

function singleBody(random: Random, websiteId: string): FuzzBody {
  const item = fuzzItem(flatPath, random, 0.7);
  return request(named(flatPath, websiteId), item.text, { kind: "single", items: [item] });
}

function pictureRequest(random: Random, websiteId: string): FuzzBody {
  const query = new URLSearchParams({ website_id: websiteId });
  const event = random.chance(0.7) ? goodItem(flatPath, random, `fz-${random.whole(0, 2 ** 31)}`) : {};
  for (const [name, value] of Object.entries(event))
    query.set(name, typeof value === "string" ? value : JSON.stringify(value));
  if (random.chance(0.6)) query.set("type", random.pick(["web_vitals", "error", "outgoing_link", "track", "\0", "x"]));
  for (let changes = random.whole(0, 3); changes > 0; changes--)
    query.set(
      random.pick([
        "eventId",
        "name",
        "properties",
        "path",
        "metric_name",
        "metricValue",
        "message",
        "lineno",
        "client_id",
      ]),
      random.pick(["", "\0", "{", '{"a":1e999}', "LCP", "-1", "1e999", "0x10", " ", "[]", "{}", "x".repeat(600)]),
    );
  let target = `/px.jpg?${query}`;
  if (random.chance(0.2)) target = target.replaceAll("%", random.pick(["%", "%%", "%u", "%f"]));
  return { verb: "GET", target, headers: { "user-agent": browser }, body: undefined, kind: "picture", items: [] };
}

function identifyBody(random: Random): FuzzBody {
  const json = toJson<DescMessage>(IdentifyRequestSchema, validMessage(IdentifyRequestSchema, random));
  if (typeof json !== "object" || json === null || Array.isArray(json)) return request("/identify", "{}");
  return request("/identify", spoilItem(IdentifyRequestSchema, json, random));
}

/** A body of valid items, of which some bytes are lost, changed or added. */
function brokenText(random: Random, websiteId: string): FuzzBody {
  const path = random.chance(0.1) ? flatPath : random.pick(listPaths);
  const items = Array.from({ length: path.single ? 1 : random.whole(1, 4) }, () =>
    JSON.stringify(goodItem(path, random, `fz-${random.whole(0, 2 ** 31)}`, farMs)),
  );
  let bytes: Buffer = Buffer.from(path.single ? items.join() : `[${items.join(",")}]`);
  for (let changes = random.whole(1, 3); changes > 0; changes--) bytes = damaged(bytes, random);
  return request(named(path, websiteId), bytes);
}

const insertions = [
  ...[[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0], [0xef, 0xbb, 0xbf]],
  ...['"', "\\", "\\u0000", "\\ud800", "{", "}", "[", "]", ",", ":", "e9", "-", "null", "/*", "'"].map((text) => [
    ...Buffer.from(text),
  ]),
].map((bytes) => Buffer.from(bytes));

function damaged(bytes: Buffer, random: Random): Buffer {
  const at = random.whole(0, bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const make = random.fraction();
  if (make < 0.25) return before;
  if (make < 0.5) return Buffer.concat([before, random.pick(insertions), after]);
  if (make < 0.7) return Buffer.concat([before, after.subarray(random.whole(1, 8))]);
  if (make < 0.8) return Buffer.concat([before, bytes.subarray(random.whole(0, at), at), after]);
  return Buffer.concat([before, Buffer.from([random.whole(0, 255)]), after.subarray(1)]);
}

const otherBodies: readonly (() => string)[] = [
  ...[
    "",
    "null",
    "[]",
    "{}",
    '""',
    "0",
    "true",
    "[[]]",
    "[null]",
    "[{}]",
    '{"events":[]}',
    '{"length":3}',
    "\ufeff",
    "NaN",
  ].map((text) => () => text),
  () => "[".repeat(50_000),
  () => `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
  () => `[${'{"payload":'.repeat(20_000)}1${"}".repeat(20_000)}]`,
  () => `[${"{},".repeat(1_000)}{}]`,
  () => `[${"1,".repeat(100)}1]`,
  () => `[${'{"name":"signup"},'.repeat(100)}{}]`,
  () => `[{"name":"signup","properties":${'{"a":'.repeat(91)}1${"}".repeat(91)}}]`,
];

function otherBody(random: Random, websiteId: string): FuzzBody {
  const path = random.chance(0.2) ? flatPath : random.pick(listPaths);
  // Rarely, since a body of that size takes as long as a hundred others.
  if (random.chance(0.01)) return request(named(path, websiteId), `["${"x".repeat(1_100_000)}"]`);
  return request(named(path, websiteId), random.pick(otherBodies)());
}

function otherHeaders(random: Random, websiteId: string): FuzzBody {
  const path = random.pick(listPaths);
  const text = `[${JSON.stringify(goodItem(path, random, `fz-${random.whole(0, 2 ** 31)}`))}]`;
  const { headers, body } = random.pick<{ headers: Record<string, string>; body: string | Buffer }>([
    { headers: { "content-encoding": "gzip" }, body: gzipSync(text) },
    { headers: { "content-encoding": "gzip" }, body: gzipSync(text).subarray(0, 30) },
    { headers: { "content-encoding": "gzip" }, body: text },
    { headers: { "content-encoding": "br, gzip" }, body: text },
    { headers: { "content-encoding": "identity" }, body: text },
    { headers: { authorization: "Bearer x" }, body: text },
    { headers: { authorization: "Bearer \u00ff\u00fe" }, body: text },
    { headers: { "x-api-key": "x".repeat(5_000) }, body: text },
    { headers: { "x-forwarded-for": "1.1.1.1, , ::::, \u00ff", forwarded: 'for="[' }, body: text },
    { headers: { "user-agent": `${"(".repeat(4_000)}\u00ff` }, body: text },
    { headers: { "user-agent": "", referer: "\u00ff://", origin: "null" }, body: text },
    { headers: { dnt: "1", "sec-gpc": "2" }, body: text },
  ]);
  return request(named(path, websiteId), body, { headers });
}

function otherAddress(random: Random, websiteId: string): FuzzBody {
  const path = random.chance(0.1) ? flatPath : random.pick(listPaths);
  const item = goodItem(path, random, `fz-${random.whole(0, 2 ** 31)}`);
  if (random.chance(0.5)) item["websiteId"] = random.pick(["\0", "\ud800", "", "x".repeat(128), websiteId]);
  const query = random.pick([
    ...[
      "",
      "?",
      "?website_id",
      "?website_id=",
      "?website_id=%00",
      "?website_id=%",
      "?website_id=%ED%A0%80",
      "?client_id=%00",
    ],
    ...[
      `?website_id=${"x".repeat(129)}`,
      "?website_id=__proto__",
      "?__proto__=1&constructor=2",
      "?&&=&=",
      `?website_id=${websiteId}%00`,
    ],
    ...[`?website_id=x&website_id=${websiteId}`, `?websiteId=${websiteId}`, `?client_id=${websiteId}&events=1&event=2`],
  ]);
  const text = JSON.stringify(item);
  return request(`${path.path}${query}`, path.single ? text : `[${text}]`);
}
