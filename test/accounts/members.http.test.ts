import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  addMember,
  type Browser,
  createOrganization,
  createPerson,
  type Person,
  signedIn,
} from "../kit/calls/person.ts";

type Member = { id: string; userId: string; role: string };

async function members(browser: Browser): Promise<Member[]> {
  const { body } = await browser.call("/auth/members/list", {});
  return (body as { members: Member[] }).members;
}

async function memberOf(browser: Browser, { userId }: Person): Promise<string> {
  return (await members(browser)).find((member) => member.userId === userId)?.id ?? "";
}

test("part 5: members see the members of their organization only", async () => {
  const organizationId = await createOrganization();
  const owner = await createPerson({ organizationId });
  const viewer = await createPerson({ organizationId, role: "viewer" });
  await createPerson({ organizationId: await createOrganization() });
  const browser = await signedIn(viewer);
  expect((await browser.call("/auth/members/list", {})).body).toEqual({
    members: [
      {
        id: expect.any(String),
        userId: owner.userId,
        email: owner.email,
        name: "Ada",
        role: "owner",
        websiteIds: [],
        scopes: [],
        createdAt: expect.any(String),
      },
      {
        id: expect.any(String),
        userId: viewer.userId,
        email: viewer.email,
        name: "Ada",
        role: "viewer",
        websiteIds: [],
        scopes: [],
        createdAt: expect.any(String),
      },
    ],
  });
});

test("part 5: a changed role applies to existing sessions within a second", async () => {
  const organizationId = await createOrganization();
  const owner = await signedIn(await createPerson({ organizationId }));
  const person = await createPerson({ organizationId, role: "viewer" });
  const browser = await signedIn(person);
  const create = () => browser.call("/websites/create", { name: "Shop", domain: "shop.example" });
  expect((await create()).status).toBe(403);
  const id = await memberOf(owner, person);
  const changed = await owner.call("/auth/members/change-role", { id, role: "admin" });
  expect(changed).toMatchObject({ status: 200, body: { id, role: "admin" } });
  await pause(1_000);
  expect((await create()).status).toBe(200);
  expect((await owner.call("/auth/members/remove", { id })).status).toBe(200);
  await pause(1_000);
  expect(await create()).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
});

test("part 5: only owners change owners", async () => {
  const organizationId = await createOrganization();
  const owner = await createPerson({ organizationId });
  const admin = await createPerson({ organizationId, role: "admin" });
  const browser = await signedIn(admin);
  const ownerId = await memberOf(browser, owner);
  const change = (id: string, role: string) => browser.call("/auth/members/change-role", { id, role });
  for (const answer of [
    await change(ownerId, "viewer"),
    await change(await memberOf(browser, admin), "owner"),
    await browser.call("/auth/members/remove", { id: ownerId }),
  ])
    expect(answer).toMatchObject({
      status: 403,
      body: { code: "ACCESS_DENIED", error: expect.stringContaining("owner") },
    });
});

test("part 5: an organization keeps an owner, even if two owners step down at the same time", async () => {
  const organizationId = await createOrganization();
  const people = [await createPerson({ organizationId }), await createPerson({ organizationId })];
  const browsers = await Promise.all(people.map((person) => signedIn(person)));
  const answers = await Promise.all(
    browsers.map(async (browser, at) => {
      const person = people[at];
      if (person === undefined) throw new Error("there is a person for each browser");
      const id = await memberOf(browser, person);
      return await browser.call("/auth/members/change-role", { id, role: "viewer" });
    }),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: "CONFLICT" });
});

test("part 5: members of another organization are answered NOT_FOUND", async () => {
  const stranger = await createPerson();
  const id = await addMember(stranger.userId, await createOrganization(), "viewer");
  const browser = await signedIn(await createPerson({ organizationId: await createOrganization() }));
  expect((await browser.call("/auth/members/remove", { id })).status).toBe(404);
  expect((await browser.call("/auth/members/change-role", { id, role: "admin" })).status).toBe(404);
});

test("part 5: organizations are created by owners, renamed by admins, and the audit log names the person", async () => {
  const organizationId = await createOrganization("Before");
  const owner = await createPerson({ organizationId });
  const browser = await signedIn(owner);
  const renamed = await browser.call("/auth/organization/rename", { name: "After" });
  expect(renamed).toMatchObject({ status: 200, body: { id: organizationId, name: "After", role: "owner" } });
  expect((await browser.call("/auth/organization/get", {})).body).toEqual(renamed.body);
  const log = await browser.call("/audit/list", { action: "organization.rename" });
  expect(log.body).toMatchObject({
    entries: [
      {
        actorType: "user",
        actorId: owner.userId,
        actorName: owner.email,
        action: "organization.rename",
        before: { name: "Before" },
        after: { name: "After" },
      },
    ],
  });
  const created = await browser.call("/auth/organization/create", { name: "Second" });
  expect(created).toMatchObject({ status: 200, body: { name: "Second", role: "owner" } });
  expect((await browser.call("/websites/list", {})).body).toMatchObject({ websites: [] });
  const admin = await signedIn(await createPerson({ organizationId, role: "admin" }));
  expect((await admin.call("/auth/organization/create", { name: "Third" })).status).toBe(403);
  expect((await admin.call("/auth/organization/rename", { name: " " })).status).toBe(400);
});
