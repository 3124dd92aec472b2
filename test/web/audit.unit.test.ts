import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { auditedName, auditSentence } from "../../web/app/src/pages/organization/audit/auditSentence.ts";
import { texts as de } from "../../web/app/src/texts/settings/de.ts";
import { texts as en } from "../../web/app/src/texts/settings/en.ts";
import { texts as fr } from "../../web/app/src/texts/settings/fr.ts";

/** The actions that the service records, by how they are written in its sources. */
function recordedActions(): string[] {
  const objects = Object.keys(en.audit.objects).join("|");
  const found = globSync("src/**/*.ts", { exclude: (path) => path.startsWith("src/gen") }).flatMap((path) => {
    const source = readFileSync(path, "utf8");
    if (!/audit|changeWebsite|changeMonitor|changeApiKey/i.test(source)) return [];
    return [...source.matchAll(new RegExp(`"((?:${objects})\\.[a-z_.]+)"`, "g"))].map(([, action = ""]) => action);
  });
  // What channels are told, which is no change.
  const told = new Set(["incident.opened", "incident.escalated", "incident.resolved"]);
  return [...new Set(found)].filter((action) => !told.has(action));
}

test.each([
  ["en", en],
  ["de", de],
  ["fr", fr],
] as const)("every change that the service records is a sentence in %s", (_, { audit }) => {
  const actions = recordedActions();
  expect(actions.length).toBeGreaterThan(40);
  expect(actions.filter((action) => auditSentence(action, undefined, audit) === action)).toEqual([]);
});

test("a sentence names the object, and what is not known is named as it is", () => {
  expect(auditSentence("website.create", "Shop", en.audit)).toBe("Website “Shop”: created");
  expect(auditSentence("website.retention.cancel", undefined, de.audit)).toBe(
    "Website: Änderung der Aufbewahrung abgebrochen",
  );
  expect(auditSentence("robot.constructor", "x", en.audit)).toBe("robot.constructor");
  expect(auditSentence("website.constructor", "x", en.audit)).toBe("website.constructor");
  expect(auditedName({ name: "new" }, { name: "old" })).toBe("new");
  expect(auditedName({ timezone: "UTC" }, { title: "Old title" })).toBe("Old title");
  expect(auditedName(undefined, { name: "" })).toBeUndefined();
});
