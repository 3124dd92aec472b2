import { expect } from "vitest";
import { websiteTest } from "../../kit/calls/websiteTest.ts";

websiteTest("A1 the splits of a goal are those that it has alone", async ({ api, website }) => {
  // Events of a server belong to no visitor, so their campaign has none.
  await api.sendEvents([{ name: "sign_up", utm_campaign: "spring" }]);
  const ask = async (goals: readonly object[]) => {
    const body = { preset: "last_7d", goals, splitBy: "utm_campaign" };
    const answer = await api.call("POST", `/v1/query/goals?website_id=${website.websiteId}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return (answer.body as { goals: { splits: { value: string }[] }[] }).goals.map(({ splits }) => splits);
  };
  const [signUp, prices] = [{ event: "sign_up" }, { page: "/prices" }];
  await expect.poll(() => ask([signUp])).toMatchObject([[{ value: "spring", figures: { completions: 1 } }]]);
  const [, other] = await ask([signUp, prices]);
  expect([other]).toEqual(await ask([prices]));
  expect(other).toEqual([]);
});
