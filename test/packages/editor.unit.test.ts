import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Editor } from "./editor.ts";

/** Beside the client, so that the editor opens that project. It is not on the disk. */
const path = join(import.meta.dirname, "../../packages/client-js/src/inEditor.ts");

const text = `import { createLookout } from "./node.ts";
const lookout = createLookout({ baseUrl: "" });
await lookout.links.createLink({ targetUrl: "", clickLimit: 3 });
await lookout.uptime.listMonitors({ websiteId: "" });
await lookout.ingest.batch({ websiteId: "", events: [] });
await lookout.uptime.createMonitor({ websiteId: "", url: "", timeout: 3 });
await lookout.funnels.analyzeGoals({
  query: { goals: [{ action: { case: "page", value: { path: "/thanks" } } }], splitBy: "utm_campaign" },
});
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
    "Over HTTP: `POST /links/create`. Needs a key with the scope `write:links`. Is repeated after a temporary failure, with an idempotency key",
  ],
  [
    "listMonitors",
    "Lists the monitors of a website.\\n\\nOver HTTP: `POST /uptime/monitors/list`. Needs a key with the scope `read:uptime`. May be repeated: it changes nothing.",
  ],
  ["batch(", "Over HTTP: `POST /batch`. Needs no key. Is repeated after a temporary failure if all events have ids."],
  ["clickLimit", "How many clicks it takes. 0 means without a limit.\\n\\nAt most 2,147,483,647."],
  ["timeout", "How long a check may take, ms. The default value is 30000.\\n\\nAt least 1,000. At most 120,000."],
  ["splitBy", "Splits the answers by this field's value, such as country."],
  ["path", "The path, or a part of it.\\n\\n1 to 2,048 characters."],
])("the editor shows at %s what the contract says", async (word, note) => {
  expect(await editor.hover(path, text, word)).toContain(note);
});
