import { describe, expect, test } from "vitest";
import { htmlTags } from "../../src/websites/installation/htmlTags.ts";
import { judgePage } from "../../src/websites/installation/judgePage.ts";

const expected = { websiteId: "site-1", clientId: "client-1", baseUrl: "https://stats.example.com/lookout" };
const url = new URL("https://shop.example/start");
const judge = (html: string, policyHeader = "") => judgePage({ url, html, policyHeader }, expected);
const src = "https://stats.example.com/lookout/tracker.js";
const tag = `<script defer src="${src}" data-website-id="site-1"></script>`;

describe("a page with the tracker", () => {
  test.each([
    ["as the guide says", `<html><head>${tag}</head></html>`],
    ["without quotes and in capitals", `<SCRIPT SRC=${src} DATA-WEBSITE-ID=site-1 defer></SCRIPT>`],
    ["with single quotes and line breaks", `<script\n src='${src}'\n data-website-id='client-1'></script>`],
    [
      "with vitals",
      `<script src="https://stats.example.com/lookout/tracker-vitals.js" data-website-id="site-1"></script>`,
    ],
    ["with the id in the address", `<script async src="${src}?a=1&amp;website-id=site-1"></script>`],
    [
      "under the website's own address",
      `<script src="/stats/script.js" data-website-id="site-1" data-batch-path="/stats/events"></script>`,
    ],
    [
      "with the id in options before it",
      `<script>window.lookout = { websiteId: "site-1" }</script><script src="${src}"></script>`,
    ],
    ["inserted by a script of the page", `<script>const id = "site-1"; load("${src}", id)</script>`],
    ["beside that of another website", `<script src="${src}" data-website-id="other"></script>${tag}`],
    ["after a comment that never matters", `<!-- <script src="x"> -->${tag}`],
  ])("%s is ready", (_, html) => {
    expect(judge(html)).toEqual({ result: "ready" });
  });
});

describe("a page without it", () => {
  test.each([
    ["an empty page", "", "script_missing"],
    ["no script", "<html><body>Hello <b>world</b> 1 < 2</body></html>", "script_missing"],
    ["only in a comment", `<!-- ${tag} -->`, "script_missing"],
    ["only as text of another script", `<script>document.title = '<script src="x">'</script>`, "script_missing"],
    [
      "of another product",
      `<script src="https://cloud.example/script.js" data-website-id="abc"></script>`,
      "script_missing",
    ],
    ["a tag manager", `<script>j.src='https://www.googletagmanager.com/gtm.js?id='+i</script>`, "tag_manager"],
    [
      "a tag manager by its file",
      `<script src="https://www.googletagmanager.com/gtm.js?id=GTM-1"></script>`,
      "tag_manager",
    ],
    ["the tracker without an id", `<script src="${src}"></script>`, "id_missing"],
  ])("%s", (_, html, result) => {
    expect(judge(html)).toEqual({ result });
  });

  test("another website's id is named", () => {
    expect(judge(tag.replace("site-1", "site-2"))).toEqual({ result: "other_website", foundId: "site-2" });
  });
});

describe("a policy", () => {
  const source = "https://stats.example.com";
  const script = (directive: string) => ({ result: "script_blocked", directive, neededSource: source });
  const events = (directive: string) => ({ result: "events_blocked", directive, neededSource: source });
  test.each([
    ["default-src 'self'", script("default-src")],
    ["script-src 'self' 'unsafe-inline'; connect-src *", script("script-src")],
    ["script-src 'none'", script("script-src")],
    ["script-src-elem 'self'; script-src *", script("script-src-elem")],
    ["script-src 'strict-dynamic' https: 'nonce-x'", script("script-src")],
    ["script-src http://stats.example.com:8080", script("script-src")],
    ["script-src https://stats.example.com/other/", script("script-src")],
    ["script-src *.stats.example.com", script("script-src")],
    ["script-src https:; connect-src 'self'", events("connect-src")],
    ["default-src 'self'; script-src https:", events("default-src")],
    ["script-src *, connect-src 'self'", events("connect-src")],
    ["script-src *; script-src 'none'", { result: "ready" }],
    ["script-src stats.example.com; connect-src stats.example.com", { result: "ready" }],
    ["script-src *.example.com; connect-src https://stats.example.com/lookout/", { result: "ready" }],
    ["SCRIPT-SRC http://stats.example.com", { result: "ready" }],
    ["script-src https://stats.example.com/lookout/tracker.js", { result: "ready" }],
    ["img-src 'self'; frame-ancestors 'none'", { result: "ready" }],
    ["", { result: "ready" }],
  ])("%s", (policy, verdict) => {
    expect(judge(tag, policy), "in a header").toEqual(verdict);
    if (!policy.includes(",")) {
      const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
      expect(judge(meta + tag), "in the page").toEqual(verdict);
    }
  });

  test("a nonce of the tag is enough, and that of another script is not", () => {
    const withNonce = tag.replace("defer", 'nonce="r4nd0m"');
    expect(judge(withNonce, "script-src 'nonce-r4nd0m' 'strict-dynamic'")).toEqual({ result: "ready" });
    expect(judge(withNonce, "script-src 'nonce-other'")).toEqual(script("script-src"));
  });

  test("events may go elsewhere than the script comes from", () => {
    const html = `<script src="/tracker.js" data-website-id="site-1" data-api-url="https://api.example.net"></script>`;
    expect(judge(html, "default-src 'self'")).toEqual({
      result: "events_blocked",
      directive: "default-src",
      neededSource: "https://api.example.net",
    });
    expect(judge(html, "default-src 'self'; connect-src https://api.example.net")).toEqual({ result: "ready" });
  });
});

test("tags are read in one pass, whatever the page is made of", () => {
  for (const part of ["<script ", '<a b="', "<!--", "<script>", "</", "<x y='"])
    expect(htmlTags(part.repeat(200_000)).length).toBeLessThanOrEqual(200_000);
  expect(htmlTags('<meta content="a > b" CONTENT=c><br/><p class>')).toEqual([
    { name: "meta", attributes: new Map([["content", "a > b"]]), text: "" },
    { name: "br", attributes: new Map(), text: "" },
    { name: "p", attributes: new Map([["class", ""]]), text: "" },
  ]);
});
