import { describe, expect, test } from "vitest";
import { judgePage } from "../../src/websites/installation/judgePage.ts";
import { checkSentence } from "../../web/app/src/firstEvent/checkSentence.ts";
import { readGuide, withGuide } from "../../web/app/src/firstEvent/chosenGuide.ts";
import { defaultOptions, guides, options, snippetOf } from "../../web/app/src/firstEvent/snippets.ts";
import { texts } from "../../web/app/src/texts/settings/en.ts";

const baseUrl = "https://stats.example.com";
const websiteId = "site-1";
const snippet = (guide: (typeof guides)[number], chosen = defaultOptions) =>
  snippetOf(guide, { websiteId, options: chosen }, baseUrl);

describe("what the guides say to insert", () => {
  test.each(guides)("%s names the website and the service", (guide) => {
    expect(snippet(guide)).toContain(websiteId);
    expect(snippet(guide)).toContain(baseUrl);
  });

  test.each(["script", "wordpress", "shopify", "react", "vue", "tagManager"] as const)(
    "%s is found by the check of the installation",
    (guide) => {
      for (const chosen of [defaultOptions, options, []]) {
        const page = { url: new URL("https://shop.example/"), html: snippet(guide, chosen), policyHeader: "" };
        expect(judgePage(page, { websiteId, clientId: "c", baseUrl })).toEqual({ result: "ready" });
      }
    },
  );

  test("options are those of the tracker, and defaults are left out", () => {
    expect(snippet("script")).toBe(
      `<script defer src="${baseUrl}/tracker.js" data-website-id="${websiteId}"></script>`,
    );
    expect(snippet("script", ["vitals", "hash", "recognises"])).toBe(
      `<script defer src="${baseUrl}/tracker-vitals.js" data-website-id="${websiteId}" data-outbound="false" data-downloads="false" data-hash="true" data-visitor="persistent"></script>`,
    );
    expect(snippet("tagManager", ["outbound", "hash"])).toBe(
      `<script>window.lookout = { downloads: false, hash: true }</script>\n<script async src="${baseUrl}/tracker.js?website-id=${websiteId}"></script>`,
    );
    expect(
      snippet("module", ["vitals", "outbound", "downloads"]),
    ).toBe(`import { createTracker } from "@lookout/tracker";
import { observeErrors } from "@lookout/tracker/errors";
import { observeVitals } from "@lookout/tracker/vitals";

createTracker({
  websiteId: "${websiteId}",
  apiUrl: "${baseUrl}",
}, (report) => {
  observeErrors(report);
  return observeVitals();
});`);
  });
});

test("the address keeps guide and options, and nothing else of it changes", () => {
  const query = new URLSearchParams("website=1");
  expect(readGuide(query)).toEqual({ guide: "script", options: defaultOptions });
  const chosen = { guide: "vue", options: ["vitals", "hash"] } as const;
  const changed = withGuide(query, chosen);
  expect(Object.fromEntries(changed)).toEqual({ website: "1", guide: "vue", options: "vitals,hash" });
  expect(readGuide(changed)).toEqual(chosen);
  expect(readGuide(withGuide(query, { guide: "vue", options: [] }))).toEqual({ guide: "vue", options: [] });
  expect(withGuide(changed, { guide: "script", options: defaultOptions }).toString()).toBe("website=1");
  expect(readGuide(new URLSearchParams("guide=constructor&options=x,toString"))).toEqual({
    guide: "script",
    options: [],
  });
});

test("each result of the check is a sentence that names what to do, also one of a newer service", () => {
  const facts = { address: "https://shop.example/", httpStatus: 503, foundId: "site-2", directive: "script-src" };
  const sentence = (result: string) =>
    checkSentence({ result, neededSource: baseUrl, ...facts }, texts.firstEvent.checkResults);
  for (const result of Object.keys(texts.firstEvent.checkResults))
    expect(sentence(result)).toMatch(/https:\/\/shop\.example\/.*[.)]$/);
  expect(sentence("other_website")).toContain("site-2");
  expect(sentence("no_page")).toContain("503");
  expect(sentence("script_blocked")).toContain(`Add ${baseUrl} to script-src`);
  expect(sentence("constructor")).toBe("https://shop.example/: constructor");
});
