import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checksums } from "../../stack/provision/questdbFiles.ts";
import { applyPatch, patchedSources, patchOf } from "../../stack/provision/questdbPatch.ts";

const patch = [
  "A reason.",
  "",
  "--- a/A.java",
  "+++ b/A.java",
  "@@ -1,3 +1,2 @@",
  " first",
  "-second",
  "-third",
  "+2",
  "",
].join("\n");

describe("a patch of QuestDB", () => {
  test("changes the text that it names", () => {
    expect(applyPatch("zero\nfirst\nsecond\nthird\nfourth\n", patch)).toBe("zero\nfirst\n2\nfourth\n");
  });

  test("is refused where that text is missing or not the only one", () => {
    expect(() => applyPatch("first\nsecond\n", patch)).toThrow("what it changes is 0 times in the text");
    const once = "first\nsecond\nthird\n";
    expect(() => applyPatch(once + once, patch)).toThrow("what it changes is 2 times in the text");
    expect(() => applyPatch(once, "A reason.")).toThrow("no changes");
  });

  test.each(patchedSources)("of %s has the source's checksum, and names QuestDB's license", (source) => {
    expect(checksums).toHaveProperty([`build/${source}`], expect.stringMatching(/^[0-9a-f]{64}$/));
    expect(readFileSync(patchOf(source), "utf8")).toMatch(/QuestDB 9\.3\.4[\s\S]+Apache License 2\.0[\s\S]+^--- a\//m);
  });
});
