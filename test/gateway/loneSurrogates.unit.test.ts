import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutLoneSurrogates } from "../../src/text/loneSurrogates.ts";

/** JSON in which every UTF-16 unit of texts is escaped, in upper or lower case. */
function escaped(text: string, isUpper: boolean): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, "0"));
  return `"${units.map((unit) => `\\u${isUpper ? unit.toUpperCase() : unit}`).join("")}"`;
}

const units = fc.array(fc.constantFrom("a", "\\", "u", "d83d", "\ud83d", "\ude00", "\udfff", "\ud800", '"', "é", "\n"));

test("8: halves of characters become U+FFFD, everything else stays", () => {
  fc.assert(
    fc.property(units, fc.boolean(), (parts, isUpper) => {
      const text = parts.join("");
      expect(JSON.parse(withoutLoneSurrogates(escaped(text, isUpper)))).toBe(text.toWellFormed());
      // JSON.stringify escapes halves only.
      const value = { [text]: [text, { nested: text }] };
      const repaired = { [text.toWellFormed()]: [text.toWellFormed(), { nested: text.toWellFormed() }] };
      expect(JSON.parse(withoutLoneSurrogates(JSON.stringify(value)))).toEqual(repaired);
    }),
  );
});

test("8: after an escaped backslash no escape begins", () => {
  const text = '{"title":"a \\\\ud83d b"}';
  expect(withoutLoneSurrogates(text)).toBe(text);
  expect(withoutLoneSurrogates('["\\\\\\ud83d", "\\\\ud83d"]')).toBe('["\\\\\\ufffd", "\\\\ud83d"]');
});
