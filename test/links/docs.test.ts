import { expect, inject, test } from "vitest";
import { runDocsLines } from "../kit/calls/docsLines.ts";
import { send } from "../kit/calls/request.ts";

test("the docs' commands about short links do what they say", async () => {
  const { websiteId, apiKey } = inject("lookout");
  const answers = await runDocsLines("docs/user/links.md", undefined, { WEBSITE: websiteId, KEY: apiKey });
  const [made = "", followed, picture, changed, unlocked, ...others] = answers;
  const { id, shortUrl } = JSON.parse(made);
  expect(shortUrl).toMatch(/\/l\/spring$/);
  expect(followed).toMatch(
    /^HTTP\/1.1 302 Found\r\n.*^location: https:\/\/shop.example\/sale\?utm_source=newsletter\r$/ms,
  );
  expect(picture).toMatch(/^<svg [^>]*width="300"/);
  expect(JSON.parse(changed ?? "")).toMatchObject({ id, clickLimit: 1000, hasPassword: true });
  expect(unlocked).toMatch(
    /^HTTP\/1.1 303 See Other\r\n.*^location: https:\/\/shop.example\/sale\?utm_source=newsletter\r$/ms,
  );
  expect(others.map((text) => JSON.parse(text))).toMatchObject([
    { links: [{ id, slug: "spring" }] },
    { total: expect.any(Number), period: { to: expect.any(String) } },
    { success: true },
    { success: true },
  ]);
  const clicks = () =>
    send("POST", "/analytics/query", {
      body: { websiteId: id, metric: "clicks", dateFrom: "2026-01-01", dateTo: new Date().toISOString().slice(0, 10) },
      apiKey,
    });
  await expect.poll(async () => (await clicks()).body).toMatchObject({ total: 2 });
});
