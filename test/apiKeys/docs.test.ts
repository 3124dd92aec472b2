import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { expect, inject, test } from "vitest";
import { requirementOf } from "../../src/access/requirement.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { docsText, runDocsLines } from "../kit/calls/docsLines.ts";

test("the docs' commands about keys do what they say", async () => {
  const { websiteId, apiKey } = inject("lookout");
  const answers = await runDocsLines("docs/user/access.md", "## Keys", { WEBSITE: websiteId });
  const [made, answer, list, rotated, revoked] = answers.map((text) => JSON.parse(text));
  const { id } = made.apiKey;
  expect(made).toMatchObject({ apiKey: { name: "Dashboard", scopes: ["read:data"], websiteIds: [websiteId] } });
  expect(answer).toMatchObject({ success: true });
  expect(list.apiKeys).toContainEqual(expect.objectContaining({ id }));
  expect(rotated).toMatchObject({ apiKey: { id }, key: expect.stringMatching(/^lk_/) });
  expect(new Set([apiKey, made.key, rotated.key]).size).toBe(3);
  expect(revoked).toMatchObject({ id, revokedAt: expect.any(String) });
});

test("the docs say what each scope opens, as the contract has it", async () => {
  const opened = new Map<string, string[]>();
  for (const method of services.flatMap(({ methods }) => methods)) {
    const kind = kindOf(method);
    opened.set(kind, [...(opened.get(kind) ?? []), nameOf(method)]);
  }
  const section = await docsText("docs/user/access.md", "## Scopes");
  const rows = section.match(/^\| (`|no|a ).*$/gm);
  expect(rows?.toSorted()).toEqual([...opened].map(([kind, names]) => `| ${kind} | ${names.join(" ")} |`).sort());
});

/** What a call needs, in the words of the docs. */
function kindOf(method: DescMethod): string {
  const { scope, open, session, orPublicWebsite } = requirementOf(method);
  if (session) return scope === "" ? "a session" : `a session with \`${scope}\``;
  if (open) return scope === "" ? "nothing" : `nothing; a key that is sent, \`${scope}\``;
  return orPublicWebsite ? `\`${scope}\`, or a public website` : `\`${scope}\``;
}

/** Its path, with the verb unless it is POST; its name where it is only served over gRPC. */
function nameOf(method: DescMethod): string {
  if (!hasOption(method, http)) return `\`${method.parent.name}.${method.name}\``;
  const { pattern } = getOption(method, http);
  const verb = pattern.case === "post" ? "" : `${pattern.case?.toUpperCase()} `;
  return `\`${verb}${String(pattern.value)}\``;
}
