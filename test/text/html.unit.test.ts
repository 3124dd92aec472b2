import { describe, expect, test } from "vitest";
import { html, htmlText } from "../../src/text/html.ts";

const hostile = `<i>&"'`;
const escaped = "&#60;i&#62;&#38;&#34;&#39;";

describe("html", () => {
  test("escapes values, in elements and in attributes", () => {
    expect(`${html`<p title="${hostile}">${hostile}</p>`}`).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  test("leaves numbers and its own pieces as they are, alone and in lists", () => {
    const items = ["a", hostile].map((text) => html`<li>${text}</li>`);
    expect(`${html`<ul data-count="${items.length}">${items}</ul>${html`<hr>`}${[]}`}`).toBe(
      `<ul data-count="2"><li>a</li><li>${escaped}</li></ul><hr>`,
    );
  });

  test("leaves out line breaks of the template, and none of a value", () => {
    expect(
      `${html`<p>
      ${"one\n  two"}
    </p>`}`,
    ).toBe("<p>one\n  two</p>");
  });
});

test("htmlText puts pieces into a text, whose own characters are escaped", () => {
  const text = (from: string, to: string) => `< ${to} & ${from}`;
  expect(`${htmlText(text, html`<b>$&</b>`, html`<i>${hostile}</i>`)}`).toBe(`&#60; <i>${escaped}</i> &#38; <b>$&</b>`);
});
