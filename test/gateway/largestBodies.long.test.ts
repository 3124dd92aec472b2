import { gzipSync } from "node:zlib";
import { create, type DescMethod, fromJson, getOption, hasOption, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { method as methodOption } from "../../src/gen/gateway/v1/json_pb.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { createPerson, openBrowser } from "../kit/calls/person.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { largestItems } from "../kit/largest/largestItems.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import { expectServesOthers } from "./largest/blockedTime.ts";
import { largestBody, manyMembers } from "./largest/largestBody.ts";

/** A body of this size is the largest that is read (MAX_BODY_BYTES). */
const bodyBytes = 1_048_576;

let website: TestWebsite;
let api: ApiProcess;
let cookie: string;

beforeAll(async () => {
  website = await createWebsite();
  api = await startApiProcess({ LOG_LEVEL: "fatal" }, { nodeFlags: ["--import", "./test/kit/largest/loopProbe.ts"] });
  const person = await createPerson({ organizationId: website.organizationId });
  const browser = openBrowser(api.baseUrl);
  await browser.call("/auth/sign-in", { email: person.email, password: person.password });
  cookie = browser.cookie() ?? "";
});

afterAll(() => api?.stop());

type Call = {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer> | string;
  readonly encoding?: string;
};

/** An open stream is cancelled after this time. The request has been read by then. */
const openMs = 3_000;

/** Sends a request and reads the answer. */
async function send({ method, path, type, body, encoding }: Call): Promise<void> {
  const headers: Record<string, string> = { "content-type": type };
  if (path.startsWith("/auth")) Object.assign(headers, { cookie, origin: api.baseUrl });
  else headers["x-api-key"] = website.apiKey;
  if (encoding !== undefined) headers["content-encoding"] = encoding;
  try {
    const signal = AbortSignal.timeout(openMs);
    const response = await fetch(`${api.baseUrl}${path}`, { method, headers, body, redirect: "manual", signal });
    expect(response.status, `${method} ${path}`).not.toBe(500);
    await response.arrayBuffer();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "TimeoutError")) throw error;
  }
}

const calls = services.flatMap(({ methods, typeName }) =>
  methods.map((method) => ({ rpc: `${typeName}.${method.name}`, typeName, method })),
);

/** The largest body of a message that is not over the limit. */
function largestText(build: (chars: number) => unknown): string {
  for (let chars = bodyBytes; ; chars = Math.floor(chars * 0.9)) {
    const text = JSON.stringify(build(chars));
    if (Buffer.byteLength(text) <= bodyBytes) return text;
  }
}

/** Members that no message has. */
const unknownMembers = largestText(manyMembers);

/** Unknown members are skipped by the same code for every message, so one RPC of each service stands for the others. */
function isFirstOfService(method: DescMethod): boolean {
  return method.parent.methods[0] === method;
}

function jsonPath(method: DescMethod): { verb: string; path: string; bodyField: string } | undefined {
  if (!hasOption(method, http)) return undefined;
  const { pattern, body } = getOption(method, http);
  if (typeof pattern.value !== "string") return undefined;
  const path = pattern.value.replaceAll(/\{[^}]*\}/g, website.websiteId);
  return {
    verb: (pattern.case ?? "post").toUpperCase(),
    path: `${path}?website_id=${website.websiteId}`,
    bodyField: body,
  };
}

describe("8 no request body blocks other requests", () => {
  test.each(calls)("$rpc, as JSON", async ({ method }) => {
    const binding = jsonPath(method);
    if (binding === undefined || binding.bodyField === "") return;
    const { verb, path, bodyField } = binding;
    const whole = (chars: number) => {
      const message = largestBody(method.input, chars);
      const field = method.input.fields.find(({ name }) => name === bodyField);
      return field === undefined ? message : message[field.jsonName];
    };
    const bodies = isFirstOfService(method) ? [largestText(whole), unknownMembers] : [largestText(whole)];
    for (const body of bodies)
      await expectServesOthers(api, () => send({ method: verb, path, type: "application/json", body }));
  });

  test.each(calls)("$rpc, over Connect", async ({ typeName, method }) => {
    const path = `/${typeName}/${method.name}`;
    const isUnary = method.methodKind === "unary";
    const frame = (body: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
      if (isUnary) return body;
      const prefix = Buffer.alloc(5);
      prefix.writeUInt32BE(body.length, 1);
      return Buffer.concat([prefix, body]);
    };
    const type = (format: string) => (isUnary ? `application/${format}` : `application/connect+${format}`);
    const filled = Buffer.from(binaryOf(method));
    await expectServesOthers(api, () => send({ method: "POST", path, type: type("proto"), body: frame(filled) }));
    if (!isFirstOfService(method)) return;
    await expectServesOthers(api, () =>
      send({ method: "POST", path, type: type("json"), body: frame(Buffer.from(unknownMembers)) }),
    );
    if (!isUnary) return;
    const packed = gzipSync(unknownMembers);
    await expectServesOthers(api, () =>
      send({ method: "POST", path, type: type("json"), body: packed, encoding: "gzip" }),
    );
  });

  // It is refused for its depth before the message's own codec reads it, so one RPC stands for all.
  test.each(["/v1/query", "/lookout.v1.QueryService/Query"])("POST %s, nothing but brackets", async (path) => {
    const body = "[".repeat(bodyBytes);
    await expectServesOthers(api, () => send({ method: "POST", path, type: "application/json", body }));
  });

  test("POST /l/{slug}, as a form", async () => {
    const body = new URLSearchParams(Object.entries(manyMembers(bodyBytes)).map(([name]) => [name, ""])).toString();
    await expectServesOthers(api, () =>
      send({ method: "POST", path: "/l/nosuchlink", type: "application/x-www-form-urlencoded", body }),
    );
  });
});

/** The largest message in binary form. */
function binaryOf(method: DescMethod): Uint8Array {
  for (let chars = bodyBytes; ; chars = Math.floor(chars * 0.8)) {
    const bytes = toBinary(method.input, messageOf(method, chars));
    if (bytes.length <= bodyBytes) return bytes;
  }
}

function messageOf(method: DescMethod, chars: number) {
  try {
    return fromJson(method.input, largestBody(method.input, chars), { ignoreUnknownFields: true });
  } catch {
    return create(method.input);
  }
}

/** RPCs whose lists are validated item by item, so that a large body is stored. */
const lists = calls.filter(({ method }) => getOption(method, methodOption).eachItem);

test("8 every list of items has its largest case here", () => {
  expect(Object.keys(largestItems).sort()).toEqual(lists.map(({ rpc }) => rpc).sort());
});

describe("8 no list of valid items blocks other requests", () => {
  test.each(lists)("$rpc", async ({ rpc, method }) => {
    const binding = jsonPath(method);
    if (binding === undefined) throw new Error(`${rpc} has no path`);
    const make = largestItems[rpc] ?? (() => ({}));
    await expectServesOthers(api, async () => {
      const body = largestText((chars) =>
        Array.from({ length: 100 }, (_, index) => make(Math.floor(chars / 100), index)),
      );
      const response = await fetch(`${api.baseUrl}${binding.path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": website.apiKey, "user-agent": "Mozilla/5.0" },
        body,
      });
      const text = await response.text();
      expect(response.status, text.slice(0, 500)).toBe(200);
      expect(JSON.parse(text).results.filter(({ status }: { status: string }) => status === "error")).toEqual([]);
    });
  });
});
