import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";

/** The README's text from a heading to the next one of the same rank. */
export async function readmeSection(heading: string): Promise<string> {
  const readme = await readFile(new URL("../../../README.md", import.meta.url), "utf8");
  const begin = readme.indexOf(`\n${heading}\n`);
  if (begin < 0) throw new Error(`README.md has no heading ${heading}`);
  const rank = heading.slice(0, heading.indexOf(" ") + 1);
  const end = readme.indexOf(`\n${rank}`, begin + heading.length);
  return readme.slice(begin, end < 0 ? undefined : end);
}

/**
 * Runs the commands of a section as somebody would who copies them, one after the other. Gives back what each curl was answered, in their
 * order, also where the next line reads it. Rejects when a command fails, so also for an answer of 400 and above.
 */
export async function runReadmeLines(heading: string, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { baseUrl, dataDir } = inject("lookout");
  const section = await readmeSection(heading);
  const lines = section.split("\n").filter((line) => line.startsWith("    "));
  const directory = await mkdtemp(join(tmpdir(), "lookout-readme-"));
  const answers = join(directory, "answers");
  try {
    await mkdir(answers);
    await promisify(execFile)(
      "bash",
      ["-euo", "pipefail", "-c", `${curl}\n${lines.join("\n")}`.replaceAll(".data/", `${dataDir}/`)],
      {
        cwd: directory,
        env: { ...process.env, BASE: baseUrl, ANSWERS: answers, ...env },
      },
    );
    const names = (await readdir(answers)).sort();
    return await Promise.all(names.map((name) => readFile(join(answers, name), "utf8")));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** curl that also keeps its answer in a file of its own. */
const curl =
  'curl() { command curl --silent --show-error --fail-with-body "$@" | tee "$ANSWERS/$(printf %03d "$(ls "$ANSWERS" | wc -l)")"; }';
