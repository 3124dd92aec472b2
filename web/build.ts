/**
 * Builds web/tracker/dist: the scripts that the service serves, and the module with its types. `--check` builds and
 * compares instead: it exits with 1 when the committed files differ from the build.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, transform } from "esbuild";
import { minify } from "terser";

const source = join(import.meta.dirname, "tracker");
const output = join(source, "dist");

/** Browsers since 2021, which support everything that the tracker needs. */
const target = "es2021";

const settings = {
  absWorkingDir: source,
  bundle: true,
  minify: true,
  target,
  // The tsconfig of the service would add "use strict", which the code does not need.
  tsconfigRaw: {},
  // Names that no other program reads.
  mangleProps: /^(put|flush)$/,
  legalComments: "none",
  logLevel: "warning",
} as const;

/** The scripts that pages load. Terser, which takes them as whole programs, saves 60 of 2,200 bytes after esbuild. */
async function buildScripts(folder: string): Promise<void> {
  const { outputFiles } = await build({
    ...settings,
    entryPoints: { tracker: "script.ts", "tracker-vitals": "scriptWithVitals.ts" },
    format: "iife",
    outdir: folder,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    const { code = "" } = await minify(text, {
      ecma: 2020,
      toplevel: true,
      // None of the assumptions behind the three options called unsafe or pure is broken here: nothing depends on
      // `arguments`, on `new` of a method, or on what reading a property does.
      compress: { passes: 3, keep_fargs: false, pure_getters: true, unsafe_arrows: true, unsafe_methods: true },
    });
    await writeFile(path, code);
  }
}

/** Only types are removed: esbuild cannot write the syntax of 2013, so the source has it. */
async function buildSmallScript(folder: string): Promise<void> {
  const source5 = await readFile(join(source, "small.ts"), "utf8");
  const { code: typeless } = await transform(source5, { loader: "ts", target: "es2015", tsconfigRaw: {} });
  const { code = "" } = await minify(`(function () {${typeless}})();`, {
    ecma: 5,
    ie8: false,
    compress: { passes: 3, keep_fargs: false, unsafe: true, hoist_vars: true },
  });
  await writeFile(join(folder, "tracker-small.js"), code);
}

async function buildInto(folder: string): Promise<void> {
  await buildScripts(folder);
  await buildSmallScript(folder);
  await build({
    ...settings,
    entryPoints: ["index.ts", "vitals.ts", "scriptErrors.ts"],
    format: "esm",
    outdir: folder,
  });
  await writeTypes(folder);
}

/**
 * TypeScript keeps `.ts` in the import paths of declarations; other packages know the files by their compiled names.
 */
async function writeTypes(folder: string): Promise<void> {
  const compiler = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
  const entries = ["index.ts", "vitals.ts", "scriptErrors.ts"].map((name) => join(source, name));
  const flags =
    "--ignoreConfig --declaration --emitDeclarationOnly --noEmit false --strict --skipLibCheck --target es2024 --lib es2024,dom,dom.iterable " +
    "--module nodenext --moduleResolution nodenext --verbatimModuleSyntax --allowImportingTsExtensions --types";
  const scratch = await mkdtemp(join(tmpdir(), "lookout-types-"));
  try {
    await promisify(execFile)(process.execPath, [
      compiler,
      ...flags.split(" "),
      "",
      "--rootDir",
      source,
      "--outDir",
      scratch,
      ...entries,
    ]);
    for (const name of ["index", "options", "vitals", "scriptErrors"]) {
      const types = await readFile(join(scratch, `${name}.d.ts`), "utf8");
      await writeFile(join(folder, `${name}.d.ts`), types.replaceAll(/(from "\.\/\w+)\.ts"/g, '$1.js"'));
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function contents(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)),
  );
}

async function check(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "lookout-tracker-"));
  try {
    await buildInto(scratch);
    const [built, committed] = await Promise.all([contents(scratch), contents(output)]);
    const names = new Set([...built.keys(), ...committed.keys()]);
    const different = [...names].filter((name) => built.get(name) !== committed.get(name));
    if (different.length === 0) return;
    console.error(`web/tracker/dist is not what the source makes (${different.join(", ")}). Run node web/build.ts`);
    process.exitCode = 1;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

if (process.argv.includes("--check")) await check();
else {
  await rm(output, { recursive: true, force: true });
  await mkdir(output);
  await buildInto(output);
}
