import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inject } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { planGoProgram } from "../../../stack/provision/go.ts";

/** What the tests read of a service. */
export type ComposeService = {
  readonly image: string;
  readonly build?: unknown;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly restart: string;
  readonly logging: { readonly driver: string };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly { readonly host_ip?: string; readonly published: string }[];
  readonly volumes?: readonly { readonly source: string; readonly target: string; readonly read_only?: boolean }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy: {
    readonly resources: { readonly limits: { readonly memory: string; readonly cpus: string; readonly pids: string } };
  };
};

export type ComposeModel = { readonly services: Readonly<Record<string, ComposeService>> };

const file = fileURLToPath(new URL("../../../compose.yaml", import.meta.url));

/**
 * compose.yaml with these settings as Docker Compose resolves it: compose-go, which reads the file there, checks the schema and that all
 * that is named exists. Rejects with what it says of a wrong file.
 */
export async function resolveCompose(settings: Readonly<Record<string, string>> = {}): Promise<ComposeModel> {
  const program = await composeProgram();
  const directory = await mkdtemp(join(tmpdir(), "lookout-compose-"));
  try {
    const resolved = join(directory, "compose.yaml");
    await writeFile(resolved, withSettings(await readFile(file, "utf8"), settings));
    const { stdout } = await promisify(execFile)(program, ["--format", "json", resolved], { maxBuffer: 10_000_000 });
    return JSON.parse(stdout);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The program itself loses the variables on its way; the file has them in one form only, the default of which may have another one. */
function withSettings(text: string, settings: Readonly<Record<string, string>>): string {
  // Without quotes an empty value would be no value.
  const whole = text.replaceAll(
    /: \$\{([A-Z][A-Z0-9_]*):-\}$/gm,
    (_, name: string) => `: ${JSON.stringify(settings[name] ?? "")}`,
  );
  const one = whole.replaceAll(
    /\$\{([A-Z][A-Z0-9_]*):-([^{}]*)\}/g,
    (_, name: string, other: string) => settings[name] || other,
  );
  return one === text ? text : withSettings(one, settings);
}

async function composeProgram(): Promise<string> {
  const config = readConfig({ ...process.env, CACHE_DIR: inject("lookout").cacheDir });
  const install = planGoProgram(
    { config, log: () => undefined, signal: AbortSignal.timeout(600_000) },
    {
      name: "compose-go",
      file: "cmd",
      check: ["-help"],
      label: "the reader of compose files",
      package: "github.com/compose-spec/compose-go/v2/cmd",
      version: "v2.16.2",
      otherWays: "since the tests read compose.yaml with it",
    },
  );
  return await install();
}
