import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export type OutsideProject = {
  readonly folder: string;
  /** Runs a program in the folder. Resolves with its output; rejects with both its outputs when it fails. */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  remove(): Promise<void>;
};

/** Compilers and installers take seconds on an idle machine; one that runs all tests at once is slower. */
const programTimeoutMs = 240_000;
/** For tests that run several of them. */
export const packageTestTimeoutMs = 480_000;

/** An empty folder outside of the repository, for a project that installs a package as a user would. */
export async function createOutsideProject(name: string): Promise<OutsideProject> {
  const folder = await mkdtemp(join(tmpdir(), `lookout-${name}-`));
  return {
    folder,
    async run(program, args, env = {}) {
      const options = { cwd: folder, env: { ...process.env, ...env }, timeout: programTimeoutMs, maxBuffer: 2 ** 24 };
      try {
        return (await promisify(execFile)(program, args, options)).stdout;
      } catch (error) {
        const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
        throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Whether a program is on PATH. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${name}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A block of a language in a README, by default the first: the example that users copy. */
export function exampleIn(readme: string, language: string, index = 0): string {
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))];
  const example = blocks[index]?.[1];
  if (example === undefined) throw new Error(`The README has no example ${index + 1} in ${language}`);
  return example;
}

/** The numbers of the lines that end with the comment `error`: those that must not compile. */
export function markedLines(text: string): readonly number[] {
  return text.split("\n").flatMap((line, index) => (/(?:#|\/\/) error$/.test(line) ? [index + 1] : []));
}
