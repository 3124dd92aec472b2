import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";

/** The text of a page such as docs/user/links.md: all of it, or from a heading to the next one of the same rank. */
export async function docsText(page: string, heading?: string): Promise<string> {
  const text = await readFile(new URL(`../../../${page}`, import.meta.url), "utf8");
  if (heading === undefined) return text;
  const begin = text.indexOf(`\n${heading}\n`);
  if (begin < 0) throw new Error(`${page} has no heading ${heading}`);
  const rank = heading.slice(0, heading.indexOf(" ") + 1);
  const end = text.indexOf(`\n${rank}`, begin + heading.length);
  return text.slice(begin, end < 0 ? undefined : end);
}

/**
 * Runs the commands of a page (its blocks marked `sh`) as a reader who pastes them, one after the other; `.data` is the
 * DATA_DIR of the tests' stack. Returns the answer of each curl and grpcurl, in their order, also if the next line
 * reads it. Rejects when a command fails, so also for an answer of 400 and above.
 */
export async function runDocsLines(
  page: string,
  heading?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { baseUrl, dataDir, grpcurlPath } = inject("lookout");
  const text = await docsText(page, heading);
  const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  if (commands.length === 0) throw new Error(`${page} ${heading ?? ""} has no commands`);
  const directory = await mkdtemp(join(tmpdir(), "lookout-docs-"));
  const answers = join(directory, "answers");
  try {
    await mkdir(answers);
    await symlink(dataDir, join(directory, ".data"));
    await promisify(execFile)("bash", ["-euo", "pipefail", "-c", `${keepAnswers}\n${commands.join("\n")}`], {
      cwd: directory,
      env: { ...process.env, BASE: baseUrl, ANSWERS: answers, GRPCURL: grpcurlPath, ...env },
    });
    const names = (await readdir(answers)).sort();
    return await Promise.all(names.map((name) => readFile(join(answers, name), "utf8")));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** curl and grpcurl that also write each answer to its own file. */
const keepAnswers = `
keep() { tee "$ANSWERS/$(printf %03d "$(ls "$ANSWERS" | wc -l)")"; }
curl() { command curl --silent --show-error --fail-with-body "$@" | keep; }
grpcurl() { "$GRPCURL" "$@" | keep; }`;
