import { expect, test } from "vitest";
import { preferredLanguage } from "../../src/gateway/http/look.ts";
import { loadsOf, pageHtml } from "../../src/gateway/http/pageHtml.ts";

const built = '<html><head><base href="./" /><script type="module" src="./assets/index.js"></script></head></html>';
const none = { app: undefined, scripts: [], styles: [] };

test("the page leads back to the start page, and names what its first view loads once", () => {
  const loads = { app: "assets/app.js", scripts: ["assets/index.js", "assets/page.js"], styles: ["assets/page.css"] };
  expect(pageHtml(built, { depth: 2, loads, startJson: undefined })).toBe(
    '<html><head><base href="../../" /><script type="module" data-app="./assets/app.js" src="./assets/index.js"></script>' +
      '<link rel="stylesheet" href="./assets/page.css"><link rel="modulepreload" crossorigin href="./assets/page.js"></head></html>',
  );
});

test("nothing in the person's data ends the block of data", () => {
  const startJson = JSON.stringify({ name: "</script><script>alert(1)</script> $& <!--" });
  const html = pageHtml(built, { depth: 0, loads: none, startJson });
  const [, block = ""] = /<script type="application\/json" id="start">(.*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(block)).toEqual(JSON.parse(startJson));
  expect(block).not.toContain("<");
});

test("the texts are those of the first language that the browser wants and the app has", () => {
  const languages = ["de", "en", "fr"];
  expect(preferredLanguage("nl, de-AT;q=0.8, en;q=0.5", languages)).toBe("de");
  expect(preferredLanguage("nl", languages)).toBe("en");
  expect(preferredLanguage(undefined, languages)).toBe("en");
});

test("a page with texts of its own loads both kinds", () => {
  const file = (name: string) => ({ scripts: [`${name}.js`], styles: [] });
  const loads = {
    app: file("app"),
    pages: { links: file("links"), settings: { ...file("settings"), texts: "settings" as const } },
    languages: { de: file("de") },
    settingsLanguages: { de: file("settings-de") },
  };
  expect(loadsOf(loads, "links", "de").scripts).toEqual(["app.js", "links.js", "de.js"]);
  expect(loadsOf(loads, "settings", "de").scripts).toEqual(["app.js", "settings.js", "de.js", "settings-de.js"]);
  expect(loadsOf(loads, undefined, undefined)).toEqual({ app: "app.js", ...file("app") });
});
