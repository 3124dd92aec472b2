import { getOption } from "@bufbuild/protobuf";
import { expect, inject, test } from "vitest";
import { roleScopes } from "../../src/access/roleScopes.ts";
import { roles, scopes } from "../../src/call/caller.ts";
import { requirement } from "../../src/gen/access/v1/access_pb.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { createOrganization, createPerson, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";

/** RPCs with a JSON path that need a scope. */
const scoped = services.flatMap((service) =>
  service.methods.flatMap((method) => {
    const needed = getOption(method, requirement);
    const { pattern } = getOption(method, http);
    if (needed.open || needed.scope === "" || pattern.case === undefined || pattern.case === "custom") return [];
    const name = `${service.name}.${method.name}`;
    return [{ name, verb: pattern.case.toUpperCase(), path: pattern.value.replace(/\{\w+\}/g, "x"), needed }];
  }),
);

test.each(roles)("section 8: %s may call what the table says and nothing else", async (role) => {
  const organizationId = await createOrganization();
  const browser = await signedIn(await createPerson({ organizationId, role }));
  const origin = new URL(inject("lookout").baseUrl).origin;
  for (const { name, verb, path, needed } of scoped) {
    const answer = await send(verb, path, {
      headers: { cookie: browser.cookie() ?? "", origin },
      ...(verb === "GET" ? {} : { body: { name: "", id: "" } }),
    });
    // Part of the contract and not built yet: no caller is accepted.
    if (answer.status === 501) continue;
    const mayCall = [...roleScopes[role]].some((scope) => scope === needed.scope);
    const isDenied = answer.status === 403 && JSON.stringify(answer.body).includes("lacks the scope");
    expect(`${name}: ${isDenied ? "denied" : "let in"}`).toBe(`${name}: ${mayCall ? "let in" : "denied"}`);
    expect(answer.status, name).not.toBe(401);
  }
});

test("part 5: the table: owners and admins may do everything, members no deleting and managing, viewers only read", () => {
  expect([...roleScopes.owner]).toEqual([...scopes]);
  expect([...roleScopes.admin]).toEqual([...scopes]);
  expect(scopes.filter((scope) => !roleScopes.member.has(scope))).toEqual(["delete:data", "delete", "admin"]);
  expect([...roleScopes.viewer]).toEqual(["read:data", "read:uptime", "read:links"]);
});

test("part 5: calls for people only refuse a key and say so", async () => {
  const { apiKey } = await createWebsite();
  for (const path of ["/auth/sessions/list", "/auth/members/list", "/auth/invitations/list"])
    expect(await send("POST", path, { body: {}, apiKey })).toMatchObject({
      status: 403,
      body: { code: "ACCESS_DENIED", error: expect.stringContaining("Sign in") },
    });
  expect(await send("GET", "/auth/session")).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
});

test("part 5: an owner of one organization reaches no website of another", async () => {
  const { websiteId } = await createWebsite();
  const browser = await signedIn(await createPerson({ organizationId: await createOrganization() }));
  for (const path of ["/websites/get", "/websites/delete"])
    expect((await browser.call(path, { id: websiteId })).status).toBe(404);
  const query = { parameters: ["visitors"], preset: "today" };
  expect((await browser.call(`/v1/query?website_id=${websiteId}`, query)).status).toBe(403);
});
