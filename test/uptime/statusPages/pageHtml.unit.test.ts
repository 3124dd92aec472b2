import { describe, expect, test } from "vitest";
import type { PageView } from "../../../src/uptime/statusPages/read/pageView.ts";
import { messagePage, pageHtml } from "../../../src/uptime/statusPages/render/pageHtml.ts";
import { plainReader } from "../../../src/uptime/statusPages/texts/reader.ts";
import { textsOf } from "../../../src/uptime/statusPages/texts/statusTexts.ts";

const writers = (["en", "de", "fr"] as const).map((language) => ({
  language,
  reader: plainReader(language),
  texts: textsOf(language),
}));
const nowMs = Date.UTC(2026, 10, 24);

/** A page with each part that there is, and `text` wherever people write something. */
function pageWith(text: string, isCurrent: boolean): PageView {
  const updates = [{ id: "1", status: "identified", text, postedMs: nowMs }] as const;
  const event = {
    id: text,
    title: text,
    monitorIds: [text],
    monitorNames: [text],
    startedMs: nowMs - 90_000,
    resolvedMs: undefined,
    updates,
  };
  const day = { date: "2026-11-23", status: "down", uptimePercent: 99, coveragePercent: 100 };
  return {
    slug: "shop",
    title: text,
    logoText: text,
    description: text,
    accentColor: "#c75000",
    logo: { name: "logo-1.webp", width: 100, height: 50 },
    isPreview: false,
    isCurrent,
    status: "unknown",
    statesMs: nowMs,
    factsMs: nowMs,
    groups: [
      { name: text, monitors: [{ id: text, name: text, status: text, uptimePercent: 99, days: [day] }] },
      { name: "", monitors: [{ id: "2", name: "up", status: "up", uptimePercent: 100, days: [] }] },
    ],
    ongoing: [event],
    past: [
      { ...event, resolvedMs: nowMs },
      { ...event, title: undefined, resolvedMs: nowMs },
    ],
    windows: [{ id: "1", title: text, startsMs: nowMs, endsMs: nowMs, hasBegun: false, monitorNames: [text] }],
  };
}

describe.each(writers)("part 2: a status page ($language)", (writer) => {
  test.each([true, false])("has no markup of what people wrote (current: %s)", (isCurrent) => {
    const [plain, hostile] = ["x", `<x a="'&">`].map((text) =>
      pageHtml(pageWith(text, isCurrent), writer, "style.css"),
    );
    expect(tagsOf(hostile)).toEqual(tagsOf(plain));
  });

  test("escapes no markup of its own", () => {
    expect(pageHtml(pageWith("x", true), writer, "style.css")).not.toMatch(/&#(?:60|62|34);/);
  });

  test("has no markup of a message", () => {
    expect(tagsOf(messagePage("<b>", "<i>", writer, "style.css"))).toEqual(
      tagsOf(messagePage("b", "i", writer, "style.css")),
    );
  });
});

/** The tags of a page with their attributes' names. */
function tagsOf(page: string | undefined): readonly string[] {
  return (page?.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));
}
