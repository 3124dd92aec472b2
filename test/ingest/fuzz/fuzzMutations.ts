import { isDeepStrictEqual } from "node:util";
import { type DescMessage, type JsonObject, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { mutate } from "../../kit/messages/mutation.ts";
import { Random } from "../../kit/messages/random.ts";
import { taggedJson } from "../../kit/messages/taggedJson.ts";
import { validMessage } from "../../kit/messages/validMessage.ts";

/** Encloses text that goes into the JSON unchanged, because JSON.stringify cannot write it. */
const rawMark = "\ue000";

const raw = (text: string) => `${rawMark}${text}${rawMark}`;

const oddValues: readonly JsonValue[] = [
  ...["1e400", "-1e400", "1e-400", "-0", "12345678901234567890", "9007199254740993", "1.7976931348623157e308"].map(raw),
  ...[null, true, false, 0, -1, 0.5, 1e40, 2 ** 53, 5_000_000_000, -5_000_000_000],
  ...[946_684_799_999, 946_684_800_000, 253_402_300_799_999, 253_402_300_800_000],
  ...[
    "",
    " ",
    "NaN",
    "Infinity",
    "\0",
    "a\0b",
    "\ud800",
    "a\udc00",
    "\u2028",
    "\u202e",
    "\r\n,=\\\"'",
    "%00",
    "1,2 3=4",
  ],
  ...[
    "__proto__",
    "constructor",
    "track",
    "outgoing_link",
    "page_view",
    "page_exit",
    "https://",
    "http://[::1",
    "//",
    "?#",
  ],
  ...["http://a:b@c.example:99999/?x=%", "1".repeat(400), "😀".repeat(257), "9".repeat(65)],
  ...[
    [],
    {},
    [[]],
    [null],
    [{}],
    [1, "x"],
    { a: 1 },
    { toString: 1 },
    { length: 5, 0: "x" },
    { "\ud800": "\udfff" },
    { "\0": [] },
  ],
];

const rareValues: readonly (() => JsonValue)[] = [
  () => raw(`${"[".repeat(3_000)}${"]".repeat(3_000)}`),
  () => raw(`${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`),
  () => raw(`${"[".repeat(88)}1e400${"]".repeat(88)}`),
  () => "x".repeat(40_000),
  () => "\ud83d".repeat(2_049),
  () => "\0".repeat(8_192),
  () => Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index])),
  () => Array.from({ length: 500 }, () => "x"),
];

const trapNames = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "then",
  "$typeName",
  "payload",
  "type",
  "",
  "\ud800",
  "\0",
];

/** Changes one or two places of a valid item (in place) and returns its text; it may still be valid. */
export function spoilItem(desc: DescMessage, item: JsonObject, random: Random): string {
  if (random.chance(0.04)) return textOf(oddValue(random));
  // The mutations of the codec tests, here through the whole service.
  if (random.chance(0.2)) mutateFields(desc, item, random);
  for (let changes = random.whole(1, 2); changes > 0; changes--) spoilPlace(item, random);
  const text = textOf(item);
  // The last of two members with one name counts, so this one must change nothing.
  return random.chance(0.1)
    ? text.replace(/^\{("[^"\\]*")/, (found, name: string) => `{${name}:[],${found.slice(1)}`)
    : text;
}

/** The names of members of an item, or of its payload, that differ; an empty name when one of them is no object. */
export function changedFields(goodText: string, text: string): ReadonlySet<string> {
  const [good, other]: unknown[] = [JSON.parse(goodText), JSON.parse(text)];
  const changed = new Set<string>();
  const compare = (left: object, right: object) => {
    const [a, b] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
    for (const name of new Set([...a.keys(), ...b.keys()]))
      if (!isDeepStrictEqual(a.get(name), b.get(name))) {
        changed.add(name);
        const [from, to] = [a.get(name), b.get(name)];
        if (name === "payload" && isObject(from) && isObject(to)) compare(from, to);
        else if (name === "payload") changed.add("");
      }
  };
  if (isObject(good) && isObject(other)) compare(good, other);
  else changed.add("");
  return changed;
}

/** Fields of a mutated message that differ from those of the valid one; a removed one is undefined. */
type FieldChanges = readonly (readonly [name: string, value: JsonValue | undefined])[];

/** How many mutated messages of a type are generated; generating them is slow. */
const changesOfType = 500;

const madeChanges = new Map<DescMessage, readonly FieldChanges[]>();

/** Puts fields at the edges of their rules, as the tests of the codecs do. */
function mutateFields(desc: DescMessage, item: JsonObject, random: Random): void {
  const made = madeChanges.get(desc) ?? makeChanges(desc);
  madeChanges.set(desc, made);
  const content = contentOf(item);
  for (const [name, value] of random.pick(made)) {
    if (value === undefined) delete content[name];
    else content[name] = structuredClone(value);
  }
}

/** The same ones in each run, so that a body can be reproduced from its seed alone. */
function makeChanges(desc: DescMessage): FieldChanges[] {
  const random = new Random(2);
  return Array.from({ length: changesOfType }, () => {
    const message = validMessage(desc, random);
    const before = fieldsOf(desc, message);
    mutate(desc, message, random);
    const after = fieldsOf(desc, message);
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return (
      [...names]
        .filter((name) => !isDeepStrictEqual(before[name], after[name]))
        .map((name) => [name, after[name]] as const)
        // The longest texts would leave no time for other bodies.
        .filter(([, value]) => typeof value !== "string" || value.length <= 4_096)
    );
  });
}

/** The fields as JSON; none for a message that has no JSON. */
function fieldsOf(desc: DescMessage, message: Message): JsonObject {
  try {
    const json = taggedJson(desc, toJson(desc, message));
    return isObject(json) ? contentOf(json) : {};
  } catch {
    return {};
  }
}

function spoilPlace(item: JsonObject, random: Random): void {
  let owner: JsonObject | JsonValue[] = item;
  for (;;) {
    const inner: (JsonObject | JsonValue[])[] = Object.values(owner).filter(
      (value): value is JsonObject | JsonValue[] => typeof value === "object" && value !== null,
    );
    if (inner.length === 0 || random.chance(0.6)) break;
    owner = random.pick(inner);
  }
  if (Array.isArray(owner)) {
    if (owner.length > 0) owner[random.whole(0, owner.length - 1)] = oddValue(random);
    else owner.push(oddValue(random));
    return;
  }
  const names = Object.keys(owner);
  const name = names.length === 0 || random.chance(0.1) ? random.pick(trapNames) : random.pick(names);
  if (random.chance(0.15)) delete owner[name];
  // Plain assignment would set the prototype.
  else
    Object.defineProperty(owner, name, {
      value: oddValue(random),
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

function oddValue(random: Random): JsonValue {
  const value = random.chance(0.01) ? random.pick(rareValues)() : random.pick(oddValues);
  return typeof value === "object" ? structuredClone(value) : value;
}

function textOf(json: JsonValue): string {
  return JSON.stringify(json).replace(/"\ue000([^\ue000]*)\ue000"/g, (_, text: string) => text.replaceAll('\\"', '"'));
}

function contentOf(json: JsonObject): JsonObject {
  const { payload } = json;
  return isObject(payload) ? payload : json;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
