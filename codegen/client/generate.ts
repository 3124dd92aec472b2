#!/usr/bin/env node
/**
 * Writes the types of calls, requests and rows, the sets of values, the fields of filters, the events of webhooks and what the test double checks into the TypeScript client. With --check it changes nothing and exits with 1 when
 * they differ. Part of `npm run generate` and `npm run check:generated`.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { alwaysSetText } from "./alwaysSet.ts";
import { callsText } from "./callsText.ts";
import { contractFiles } from "./contractFiles.ts";
import { filterFieldsText } from "./filterFieldsText.ts";
import { requestsText } from "./requestsText.ts";
import { rowTypesText } from "./rowTypesText.ts";
import { restrictedFieldsText, rowFieldsText } from "./testingText.ts";
import { valueSets } from "./valueSets.ts";
import { valueSetsText } from "./valueSetsText.ts";
import { webhookEventsText } from "./webhookEventsText.ts";

const sets = valueSets();
const files = await contractFiles(fileURLToPath(new URL("../../proto", import.meta.url)));
const texts = {
  "packages/client-js/src/alwaysSet.ts": alwaysSetText(),
  "packages/client-js/src/calls.ts": callsText(files),
  "packages/client-js/src/filterFields.ts": filterFieldsText(),
  "packages/client-js/src/requests.ts": requestsText(files, sets),
  "packages/client-js/src/rows.ts": rowTypesText(),
  "packages/client-js/src/testing/restrictedFields.ts": restrictedFieldsText(sets),
  "packages/client-js/src/testing/rowFields.ts": rowFieldsText(),
  "packages/client-js/src/valueSets.ts": valueSetsText(sets),
  "packages/client-js/src/webhooks/events.ts": webhookEventsText(),
};

for (const [path, text] of Object.entries(texts)) {
  const file = new URL(`../../${path}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    console.error(`${path} is not what the contract and the catalogue say. Run npm run generate and commit it`);
    process.exitCode = 1;
  }
}
