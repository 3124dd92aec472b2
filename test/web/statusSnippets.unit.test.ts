import { expect, test } from "vitest";
import {
  badgeHtml,
  badgeMarkdown,
  badgePath,
  embedHtml,
  type SnippetChoice,
} from "../../web/app/src/pages/statusPages/snippets.ts";

const choice: SnippetChoice = {
  url: "https://stats.example.com/status/shop",
  title: 'Our "shop" [beta]',
  monitorId: "",
  label: "",
  theme: "light",
};

test("the path of a badge has only what differs from the plain one", () => {
  expect(badgePath(choice)).toBe("/badge.svg");
  expect(badgePath({ ...choice, monitorId: "m1", theme: "dark", label: "a & b" })).toBe(
    "/badge/m1.svg?label=a+%26+b&theme=dark",
  );
});

test("what is copied has nothing that ends an attribute or a link's text", () => {
  expect(badgeHtml({ ...choice, label: "x", theme: "dark" })).toBe(
    '<a href="https://stats.example.com/status/shop"><img src="https://stats.example.com/status/shop/badge.svg?label=x&#38;theme=dark" alt="Our &#34;shop&#34; [beta]" height="20"></a>',
  );
  expect(badgeMarkdown(choice)).toBe(
    '[![Our "shop" \\[beta\\]](https://stats.example.com/status/shop/badge.svg)](https://stats.example.com/status/shop)',
  );
  expect(embedHtml(choice)).toContain(
    'src="https://stats.example.com/status/shop/embed?theme=light" title="Our &#34;shop&#34; [beta]"',
  );
});
