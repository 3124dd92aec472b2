import { h } from "preact";
import { expect, test } from "vitest";
import { startVisibleControls, visibleText } from "../../web/app/src/ui/visibleControls.ts";

test("8: characters that are not seen and change what is shown are shown as their codes", () => {
  expect(visibleText("invoice\u202excod.exe")).toBe("invoice[U+202E]xcod.exe");
  expect(visibleText("a\u001b[31mb\u0000\u009f\u2066c\u2069")).toBe("a[U+001B][31mb[U+0000][U+009F][U+2066]c[U+2069]");
});

test("other texts stay, also those of languages that are written from right to left", () => {
  for (const text of ["שלום", "a\tb\r\nc", "👩‍🚀", "می‌خواهم", "\u200fعربي"]) expect(visibleText(text)).toBe(text);
});

test("8: every element shows its text and its attributes that way, and fields keep their value", () => {
  startVisibleControls();
  const node = h("p", { title: "x\u202e" }, "a\u202e", h("b", null, "c\u001b"), [" d\u2066"]);
  expect(node.props).toMatchObject({ title: "x[U+202E]" });
  expect(JSON.stringify(node.props.children)).toContain("a[U+202E]");
  expect(JSON.stringify(node.props.children)).toContain("c[U+001B]");
  expect(JSON.stringify(node.props.children)).toContain(" d[U+2066]");
  expect(h("input", { value: "x\u202e" }).props).toMatchObject({ value: "x\u202e" });
});
