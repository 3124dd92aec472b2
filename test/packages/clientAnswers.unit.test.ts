import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { type DescMessage, getOption, isMessage } from "@bufbuild/protobuf";
import { expect, expectTypeOf, test } from "vitest";
import { clientServices } from "../../codegen/client/clientServices.ts";
import { alwaysSet } from "../../packages/client-js/src/alwaysSet.ts";
import { callersName } from "../../packages/client-js/src/callersNames.ts";
import { BatchRequestSchema } from "../../packages/client-js/src/gen/lookout/v1/ingest_pb.ts";
import { type Link, LinkSchema } from "../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { QueryRequestSchema } from "../../packages/client-js/src/gen/lookout/v1/query_pb.ts";
import { type Lookout, LookoutError } from "../../packages/client-js/src/node.ts";
import { createTestLookout } from "../../packages/client-js/src/testing/createTestLookout.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";

/** What a call of the API reference was answered. */
type Example = { readonly response: { readonly body?: unknown } };

test("a member that an answer always has needs no question mark", () => {
  expectTypeOf<Awaited<ReturnType<Lookout["links"]["createLink"]>>["link"]>().toEqualTypeOf<Link>();
});

test("an answer without it is none of Lookout", async () => {
  const lookout = createTestLookout({ links: { createLink: {}, getLink: { link: { id: "l" } } } });
  await expect(lookout.links.createLink({ targetUrl: "https://example.com" })).rejects.toMatchObject({
    code: "BAD_ANSWER",
    message: "The answer of http://test.invalid lacks link, which Lookout always sends",
  });
  expect((await lookout.links.getLink({ id: "l" })).link.id).toBe("l");
});

test("answers hold nothing of protobuf in a log, in JSON and in a copy, and stay messages", async () => {
  const lookout = createTestLookout({
    links: { listLinks: { links: [{ id: "l", utm: { source: "mail" } }] } },
    queries: { watch: [{ answer: { requestId: "r", meta: { page: 1 } } }] },
  });
  const answer = await lookout.links.listLinks({});
  const [link] = answer.links;
  expect([inspect(answer), JSON.stringify(answer), Object.keys({ ...link })].join()).not.toContain("typeName");
  expect(isMessage(link, LinkSchema)).toBe(true);
  for await (const message of lookout.queries.watch({ query: { parameters: [] } }))
    expect(JSON.stringify(message)).not.toContain("typeName");
});

test.each([
  ["click_limit", "clickLimit"],
  ["clickLimit", "clickLimit"],
  ["utm.campaign", "utm.campaign"],
  ["not_known.click_limit", "not_known.click_limit"],
])("the service's field %s is the caller's %s", async (field, name) => {
  const lookout = createTestLookout({
    links: {
      createLink: () => {
        throw new LookoutError("VALIDATION_ERROR", "wrong", { details: [{ field, message: "is wrong" }] });
      },
    },
  });
  await expect(lookout.links.createLink({ targetUrl: "https://example.com" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ field: name, message: "is wrong" }],
  });
  expect(callersName(QueryRequestSchema, "query.parameters[0].start_date")).toBe("query.parameters[0].startDate");
  expect(callersName(BatchRequestSchema, "events[3].flat.properties.my_key")).toBe("events[3].flat.properties.my_key");
});

test.each([
  ["parameters[0].split_by", "parameters[0].splitBy"],
  ["query.parameters[0].split_by", "parameters[0].splitBy"],
  ["goal.filters[1].field", "goal.filters[1].field"],
  ["website_id", "websiteId"],
  ["not_known.split_by", "not_known.split_by"],
])("of a query the service's field %s is the caller's %s", async (field, name) => {
  const refuse = () => {
    throw new LookoutError("VALIDATION_ERROR", "wrong", { details: [{ field, message: "is wrong" }] });
  };
  const lookout = createTestLookout({ queries: { query: refuse, watch: refuse } });
  const asked = { preset: "today", parameters: ["top_pages"] } as const;
  const expected = { code: "VALIDATION_ERROR", details: [{ field: name, message: "is wrong" }] };
  await expect(lookout.query(asked)).rejects.toMatchObject(expected);
  await expect(lookout.watch(asked).next()).rejects.toMatchObject(expected);
});

test("real answers have these members", () => {
  const file = new URL("../../codegen/openapi/examples.json", import.meta.url);
  const examples: Readonly<Record<string, Example>> = JSON.parse(readFileSync(file, "utf8"));
  const methods = clientServices([...new Set(services.map(({ file }) => file))]).flatMap((service) => service.methods);
  const outputs = new Map<string, DescMessage>(methods.map(({ output }) => [output.name, output]));
  const unknown = Object.entries(alwaysSet).filter(
    ([message, member]) => !outputs.get(message)?.fields.some(({ localName }) => localName === member),
  );
  expect(unknown).toEqual([]);
  const lacking = methods.flatMap((method) => {
    const { output, localName } = method;
    const field = output.fields.find((each) => each.localName === alwaysSet[output.name]);
    const body = examples[localName]?.response.body;
    if (field === undefined) return [];
    if (typeof body !== "object" || body === null) return [localName];
    // Over JSON some answers are the member alone.
    const isMember = getOption(method, http).responseBody === field.name && Object.keys(body).length > 0;
    return isMember || field.jsonName in body ? [] : [localName];
  });
  expect(lacking).toEqual([]);
});
