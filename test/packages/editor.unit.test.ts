import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Editor } from "./editor.ts";

/** Beside the client, so that the editor opens that project. It is not on the disk. */
const path = join(import.meta.dirname, "../../packages/client-js/src/inEditor.ts");

const text = `import { createLookout } from "./node.ts";
const lookout = createLookout({ baseUrl: "" });
await lookout.links.createLink({ targetUrl: "" });
await lookout.uptime.listMonitors({ websiteId: "" });
`;

let editor: Editor;
beforeAll(async () => {
  editor = await Editor.start();
});
afterAll(() => editor.stop());

test.each([
  ["links", "Short links and their clicks"],
  ["createLink(", "Creates a short link. CONFLICT when its slug is taken"],
  [
    "createLink(",
    "Needs a key with the scope `write:links`. Is repeated after a temporary failure, with an idempotency key",
  ],
  [
    "listMonitors",
    "Lists the monitors of a website.\\n\\nNeeds a key with the scope `read:uptime`. May be repeated: it changes nothing.",
  ],
])("the editor shows at %s what the contract says", async (word, note) => {
  expect(await editor.hover(path, text, word)).toContain(note);
});
