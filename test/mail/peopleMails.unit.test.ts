import { describe, expect, test } from "vitest";
import { invitationMail, resetMail } from "../../src/mail/peopleMails.ts";
import { languages } from "../../web/app/src/texts/languages.ts";

const server = { baseUrl: "https://stats.example.com/lookout" };

describe.each(Object.keys(languages))("e-mails in %s", (language) => {
  const link = "https://stats.example.com/lookout/x#token=1";
  const mails = [
    resetMail({ language, server }, link, 60),
    invitationMail({ language, server }, { organization: "Lamps\nand more", role: "viewer", link }),
  ];

  test("name the service, have the link on a line of its own, and no text is missing", () => {
    for (const { title, lines } of mails) {
      expect(title).toContain("stats.example.com");
      expect(lines).toContain(link);
      expect([title, ...lines].join("\n")).not.toMatch(/undefined|null/);
    }
    expect(mails[0]?.lines.join()).toContain("60");
    expect(mails[1]?.lines).toContain("Lamps and more");
  });

  test("differ from those in other languages", () => {
    if (language !== "en") expect(resetMail({ language, server }, link, 1).title).not.toMatch(/A new password/);
  });
});

test("a person without a language, or with one that has no texts, gets English", () => {
  for (const language of [null, "xx"])
    expect(resetMail({ language, server }, "x", 1)).toMatchObject({
      title: "A new password for Lookout at stats.example.com",
      lines: expect.arrayContaining(["The link works once, for 1 minute. Without it your password stays as it is."]),
    });
});
