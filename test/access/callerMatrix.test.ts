import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, inject, test } from "vitest";
import { requirementOf } from "../../src/access/requirement.ts";
import { roleScopes } from "../../src/access/roleScopes.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type CallerKind, callerKinds, callOverGrpc, type Decision, decisionOf, memberHeaders } from "./callers.ts";

const methods = services.flatMap(({ methods: all }) => all);
const nameOf = (method: DescMethod) => `${method.parent.name}.${method.name}`;

let website: TestWebsite;
let kinds: CallerKind[];

beforeAll(async () => {
  website = await createWebsite();
  kinds = await callerKinds(website);
});

/** What authorization decides about a call of an RPC with an empty body on its JSON path. */
async function overJson(method: DescMethod, headers: Readonly<Record<string, string>>): Promise<Decision> {
  const { pattern } = getOption(method, http);
  const path = String(pattern.value).replace(/\{\w+\}/g, "x");
  const answer = await send(pattern.case?.toUpperCase() ?? "", path, {
    headers,
    ...(pattern.case === "get" ? {} : { body: {} }),
  });
  const { code, error = "" } = (typeof answer.body === "object" ? answer.body : {}) as {
    code?: string;
    error?: string;
  };
  return decisionOf(code, error);
}

/** The RPCs whose decision differs from the table, over all kinds of callers. */
async function differences(
  of: (method: DescMethod, kind: CallerKind) => Promise<Decision>,
  among: readonly DescMethod[],
) {
  const found: string[] = [];
  const callAll = async (kind: CallerKind) => {
    for (const method of among) {
      if (kind.isSkipped?.(method)) continue;
      const expected = kind.expected(requirementOf(method));
      const decision = await of(method, kind);
      if (decision !== expected) found.push(`${nameOf(method)} by ${kind.name}: ${decision}, not ${expected}`);
    }
  };
  await Promise.all(kinds.map(callAll));
  return found;
}

test("part 5: every RPC on its JSON path accepts exactly the callers that its requirement allows", async () => {
  const withPath = methods.filter((method) => hasOption(method, http));
  expect(withPath.length).toBeGreaterThan(80);
  expect(await differences((method, { headers }) => overJson(method, headers), withPath)).toEqual([]);
});

test("part 5: every RPC over gRPC accepts exactly the callers that its requirement allows", async () => {
  const transport = createGrpcTransport({ baseUrl: inject("lookout").baseUrl });
  const over = async (method: DescMethod, { headers }: CallerKind) => {
    if (method.methodKind !== "unary" && method.methodKind !== "server_streaming")
      throw new Error(`${nameOf(method)} is not served`);
    const { code, message } = await callOverGrpc(transport, method, { ...headers }, {});
    return decisionOf(code, message);
  };
  expect(await differences(over, methods)).toEqual([]);
});

test("part 5: a member's session is accepted over gRPC if the role has the scope", async () => {
  const { baseUrl } = inject("lookout");
  const transport = createGrpcTransport({ baseUrl });
  const headers = await memberHeaders(website.organizationId, new URL(baseUrl).origin);
  for (const method of methods) {
    const needed = requirementOf(method);
    if (method.methodKind !== "unary" || needed.open || method.name === "RevokeSession") continue;
    const { code, message } = await callOverGrpc(transport, method, headers, {});
    const mayCall = needed.scope === "" || [...roleScopes.member].some((scope) => scope === needed.scope);
    expect(`${nameOf(method)}: ${decisionOf(code, message)}`).toBe(
      `${nameOf(method)}: ${mayCall ? "in" : "ACCESS_DENIED"}`,
    );
  }
});

test("part 5: without credentials a public website is reached by the RPCs marked as public only", async () => {
  const { websiteId } = await createWebsite({ publicAccess: true });
  const transport = createGrpcTransport({ baseUrl: inject("lookout").baseUrl });
  for (const method of methods) {
    if (method.methodKind !== "unary" && method.methodKind !== "server_streaming") continue;
    const { open, orPublicWebsite } = requirementOf(method);
    if (open || method.input.fields.every(({ name }) => name !== "website_id")) continue;
    const { code, message } = await callOverGrpc(transport, method, {}, { websiteId });
    expect(`${nameOf(method)}: ${decisionOf(code, message)}`).toBe(
      `${nameOf(method)}: ${orPublicWebsite ? "in" : "AUTH_REQUIRED"}`,
    );
  }
});
