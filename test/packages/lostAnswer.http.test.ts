import { expect, inject, test } from "vitest";
import { createLookout, each, responseOf } from "../../packages/client-js/src/node.ts";
import { createWebsite } from "../kit/calls/website.ts";

const { baseUrl } = inject("lookout");

test("a created thing whose answer got lost is created once, and the repeated call answers it", async () => {
  const { websiteId, apiKey } = await createWebsite();
  let lost = 0;
  const lookout = createLookout({
    baseUrl,
    apiKey,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith("/CreateLink") || lost > 0) return response;
      lost++;
      throw new TypeError("the answer got lost");
    },
  });
  const answer = await lookout.links.createLink({ websiteId, targetUrl: "https://example.com/" });
  expect(responseOf(answer)).toMatchObject({ attempts: 2, isReplayed: true });
  const ids: string[] = [];
  for await (const { id } of each(lookout.links.listLinks, { websiteId })) ids.push(id);
  expect([lost, ids]).toEqual([1, [answer.link.id]]);
  await lookout.close();
});
