import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { inject, test } from "vitest";
import { openBrowser } from "../support/person.ts";
test("scratch", async () => {
  const { dataDir } = inject("lookout");
  const { email, password } = JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8"));
  console.log(JSON.stringify(await openBrowser().call("/auth/sign-in", { email, password })));
  console.log(readdirSync(join(dataDir, "logs")));
  for (const f of readdirSync(join(dataDir, "logs"))) if (/api|post/.test(f)) console.log(readFileSync(join(dataDir, "logs", f), "utf8").slice(-6000));
});
