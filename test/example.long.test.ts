import { expect } from "vitest";
import { shownFigure } from "./kit/servers/appPage.ts";
import { browserTest, openTab } from "./kit/web/browserTest.ts";

browserTest("the overview shows how many visitors there were", async ({ website, api }) => {
  await api.sendEvents([{ name: "page_view", path: "/prices", anonymousId: "a visitor" }]);
  const page = await openTab({ of: website, path: `/dashboard/${website.websiteId}` });
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
});
