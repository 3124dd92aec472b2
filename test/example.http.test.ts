import { expect } from "vitest";
import { websiteTest } from "./kit/calls/websiteTest.ts";

websiteTest("6: a page view is counted for its page", async ({ api }) => {
  await api.sendEvents([{ name: "page_view", path: "/prices", anonymousId: "a visitor" }]);
  await expect.poll(() => api.rowsOf("top_pages")).toMatchObject([{ name: "/prices", pageviews: 1 }]);
});
