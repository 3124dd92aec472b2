import { expect, test } from "vitest";
import { points } from "../../src/privacy/points/points.ts";
import { docsText, runDocsLines } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";

test("the docs' commands about the privacy report do what they say", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const [json, html, updated, audience] = await runDocsLines("docs/user/privacy.md", undefined, {
    WEBSITE: websiteId,
    KEY: apiKey,
  });
  expect(JSON.parse(json ?? "")).toMatchObject({ website_id: websiteId, language: "en" });
  expect(html).toContain('<html lang="de">');
  expect(JSON.parse(updated ?? "")).toMatchObject({ privacy: { place: "country", ids: "day" } });
  expect(JSON.parse(audience ?? "")).toMatchObject({ privacy: { audienceOnly: true, smallestGroup: 10 } });
});

test("the docs list every point", async () => {
  const text = await docsText("docs/user/privacy.md");
  expect(points.map(({ id }) => id).filter((id) => !text.includes(`\`${id}\``))).toEqual([]);
});
