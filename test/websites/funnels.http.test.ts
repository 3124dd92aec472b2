import { beforeAll, describe, expect, test } from "vitest";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { create, post } from "../kit/calls/websiteCalls.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let owner: TestWebsite;
beforeAll(async () => {
  owner = await createWebsite();
});

type Step = { kind: string; value: string; property?: { name: string; value: string } };

const steps = (...values: string[]): Step[] => values.map((value) => ({ kind: "page", value }));
const pro: Step = { kind: "event", value: "signup", property: { name: "plan", value: "pro" } };
const checkout = { name: "Checkout", steps: steps("/cart", "/thanks") };
const signUp = { name: "Sign-up", steps: [{ kind: "page", value: "/pricing*" }, pro] };
const goals = [{ kind: "event", value: "signup" }];

async function update(id: string, body: object) {
  const answer = await post("update", { id, ...body }, owner);
  return { status: answer.status, body: answer.body as { goals: object; code?: string; details?: object[] } };
}

async function withFunnels(...funnels: object[]): Promise<string> {
  const { id } = await create({}, owner);
  expect((await update(id, { goals: { goals, funnels } })).status).toBe(200);
  return id;
}

describe("4.15 funnels of a website", () => {
  test("are several, by name, and the old field shows the first", async () => {
    const id = await withFunnels(checkout, signUp);
    const wanted = { goals, funnel: checkout.steps, funnels: [checkout, signUp] };
    expect((await update(id, {})).body.goals).toEqual(wanted);
    // In another order the first is another one. The old field of a read is ignored beside them.
    const echoed = { goals, funnel: checkout.steps, funnels: [signUp, checkout] };
    expect((await update(id, { goals: echoed })).body.goals).toEqual({ ...echoed, funnel: signUp.steps });
  });

  test("a client that knows one funnel changes the steps of the first and loses no other", async () => {
    const id = await withFunnels(checkout, signUp);
    const funnel = steps("/cart", "/pay", "/thanks");
    expect((await update(id, { goals: { goals: [], funnel } })).body.goals).toEqual({
      goals: [],
      funnel,
      funnels: [{ name: "Checkout", steps: funnel }, signUp],
    });
    // Also where it sends none, as one that changes goals only.
    expect((await update(id, { goals: { goals } })).body.goals).toMatchObject({
      goals,
      funnels: [{ name: "Checkout", steps: funnel }, signUp],
    });
  });

  test("such a client makes and removes the only funnel as before, and keeps a property that it does not know", async () => {
    const id = await withFunnels();
    const funnel = steps("/a", "/b");
    expect((await update(id, { goals: { funnel } })).body.goals).toEqual({
      goals: [],
      funnel,
      funnels: [{ name: "Funnel", steps: funnel }],
    });
    expect((await update(id, { goals: {} })).body.goals).toEqual({ goals: [], funnel: [], funnels: [] });
    const other = await withFunnels(signUp);
    const unknowing = [{ kind: "page", value: "/pricing*" }, { kind: "event", value: "signup" }, ...steps("/welcome")];
    expect((await update(other, { goals: { funnel: unknowing } })).body.goals).toMatchObject({
      funnels: [{ name: "Sign-up", steps: [{ kind: "page", value: "/pricing*" }, pro, ...steps("/welcome")] }],
    });
  });

  test("clear removes all of them and no goal", async () => {
    const id = await withFunnels(checkout, signUp);
    expect((await update(id, { clear: ["funnels"] })).body.goals).toEqual({ goals, funnel: [], funnels: [] });
    expect(await update(id, { clear: ["funnels"], goals: { funnels: [checkout] } })).toMatchObject({
      status: 400,
      body: { details: [{ field: "clear" }] },
    });
  });

  test("one stored by the version before is a funnel with a name", async () => {
    const { id } = await create({}, owner);
    const stored = JSON.stringify({ goals: [], funnel: checkout.steps });
    await inDatabase((database) => database.query("UPDATE websites SET goals = $2 WHERE id = $1", [id, stored]));
    expect((await update(id, { name: "New" })).body.goals).toEqual({
      goals: [],
      funnel: checkout.steps,
      funnels: [{ name: "Funnel", steps: checkout.steps }],
    });
  });

  test.each([
    ["goals.funnels[1].name", { funnels: [checkout, { ...signUp, name: " checkout" }] }],
    ["goals.funnels[0].name", { funnels: [{ ...checkout, name: " " }] }],
    ["goals.funnels[0].name", { funnels: [{ ...checkout, name: "x".repeat(81) }] }],
    ["goals.funnels[0].steps", { funnels: [{ name: "One", steps: steps("/a") }] }],
    ["goals.funnels[0].steps", { funnels: [{ name: "Many", steps: steps(..."abcdefghijk") }] }],
    ["goals.funnels[0].steps[1].value", { funnels: [{ name: "A", steps: steps("/a", "b") }] }],
    [
      "goals.funnels[0].steps[0].property",
      { funnels: [{ name: "A", steps: [{ ...pro, kind: "page", value: "/" }, pro] }] },
    ],
    ["goals.goals[0].property", { goals: [pro] }],
    ["goals.funnels", { funnels: Array.from({ length: 21 }, (_, index) => ({ ...checkout, name: `F${index}` })) }],
  ])("7: a wrong %s is named", async (field, wrong) => {
    const id = await withFunnels(checkout);
    const answer = await update(id, { goals: wrong });
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    expect(answer.body.details).toEqual(expect.arrayContaining([expect.objectContaining({ field })]));
    expect((await update(id, {})).body.goals).toMatchObject({ funnels: [checkout] });
  });
});
