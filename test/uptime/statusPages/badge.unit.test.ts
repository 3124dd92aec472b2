import { expect, test } from "vitest";
import { badgeSvg } from "../../../src/uptime/statusPages/render/badge.ts";

test.each(["a \u0001 b", "a \ufffe b", "half \ud83d", '<a> & "b"', "x".repeat(60)])(
  "part 2: the badge of %j is XML that a reader accepts",
  (name) => {
    const svg = badgeSvg(name, "up", "Up");
    // XML 1.0, 2.2: what else may not occur.
    expect(svg).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
    const texts = [...svg.matchAll(/>([^<>]*)</g)].map(([, text]) => text).join("");
    expect(texts).not.toMatch(/&(?!#\d+;|amp;|lt;|gt;|quot;)/);
    expect(svg.match(/</g)?.length).toBe(svg.match(/>/g)?.length);
  },
);
