import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";

test("the README's lines about accounts do what it says", async () => {
  const { baseUrl, dataDir } = inject("lookout");
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const section = readme.slice(readme.indexOf("## Accounts"), readme.indexOf("## Websites"));
  const script = section
    .split("\n")
    .filter((line) => line.startsWith("    "))
    .join("\n")
    .replaceAll(".data/", `${dataDir}/`)
    .replaceAll("curl ", "curl --silent --show-error --fail-with-body --write-out '\\n' ");
  const directory = await mkdtemp(join(tmpdir(), "lookout-readme-"));
  try {
    const { stdout } = await promisify(execFile)("bash", ["-euc", script], {
      cwd: directory,
      env: { ...process.env, BASE: baseUrl },
    });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { email: "owner@localhost", role: "owner" },
      { email: "owner@localhost", role: "owner" },
      { members: [{ email: "owner@localhost" }] },
      { invitation: { email: "ada@example.com" }, link: expect.stringContaining("/invitation#token=") },
      { totpUri: expect.stringContaining("otpauth://"), backupCodes: expect.any(Array) },
      { sessions: expect.arrayContaining([expect.objectContaining({ current: true })]) },
      { success: true },
    ]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
