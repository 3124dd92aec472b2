import { expect, test } from "vitest";
import { addMember, createOrganization, createPerson, signedIn } from "../kit/calls/person.ts";

test("part 5: a member leaves an organization; the sessions continue in another one, and the audit log names the member", async () => {
  const organizationId = await createOrganization("Left");
  const owner = await signedIn(await createPerson({ organizationId }));
  const person = await createPerson({ organizationId, role: "viewer" });
  const otherId = await createOrganization("Stays");
  await addMember(person.userId, otherId, "member");
  const [here, elsewhere] = [await signedIn(person), await signedIn(person)];
  expect((await here.call("/auth/session")).body).toMatchObject({ organizationId, role: "viewer" });
  const left = await here.call("/auth/organization/leave", { organizationId });
  expect(left).toMatchObject({ status: 200, body: { success: true } });
  expect((await here.call("/auth/session")).body).toMatchObject({ organizationId: otherId, role: "member" });
  const atOther = async () => (await elsewhere.call("/auth/session")).body;
  await expect.poll(atOther).toMatchObject({ organizationId: otherId, role: "member" });
  expect((await here.call("/auth/organization/leave", { organizationId })).status).toBe(404);
  expect((await owner.call("/audit/list", { action: "member.leave" })).body).toMatchObject({
    entries: [
      { actorId: person.userId, objectType: "member", before: { email: person.email, role: "viewer" }, after: null },
    ],
  });
  // A user who left their last organization can still sign in.
  expect((await here.call("/auth/organization/leave", { organizationId: otherId })).status).toBe(200);
  expect((await (await signedIn(person)).call("/auth/session")).body).toMatchObject({ organizationId: "", role: "" });
});

test("part 5: the last owner cannot leave, and members cannot leave other organizations", async () => {
  const organizationId = await createOrganization();
  const owner = await createPerson({ organizationId });
  const browser = await signedIn(owner);
  expect(await browser.call("/auth/organization/leave", { organizationId })).toMatchObject({
    status: 409,
    body: { code: "CONFLICT", error: expect.stringContaining("Make another member the owner first") },
  });
  expect((await browser.call("/audit/list", { action: "member.leave" })).body).toMatchObject({ entries: [] });
  await createPerson({ organizationId });
  expect((await browser.call("/auth/organization/leave", { organizationId })).status).toBe(200);
  const others = await createOrganization();
  await createPerson({ organizationId: others });
  for (const id of [others, "none"])
    expect(await browser.call("/auth/organization/leave", { organizationId: id })).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND" },
    });
  expect((await browser.call("/auth/organization/leave", {})).status).toBe(400);
});
