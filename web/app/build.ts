/**
 * Builds the web app into web/app/dist, which the API serves: `node web/app/build.ts`. Does nothing when what is there
 * was made of the same sources; `npm start` and the tests run it each time.
 */
import { createHash } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import type { InlineConfig } from "vite";

const source = import.meta.dirname;
const root = join(source, "../..");
const output = join(source, "dist");

/** What the build depends on: the app, the client of the API, and the versions of packages. */
const inputs = ["web/app", "packages/client-js/src", "package-lock.json"];

/** Browsers since 2024, which know `light-dark()` and nested style sheets. */
const target = ["chrome123", "firefox121", "safari17.5"];

/** Where Vite lists its chunks; for this build alone. */
const chunkList = "chunks.json";

/** The file of the build for the service. */
const firstView = "firstView.js";

/** What every page loads, after its first frame. */
const appModule = "src/main.tsx";

/** Where the first view begins: what every page loads, and the overview. */
const firstModules = [appModule, "src/pages/dashboard/dashboard.tsx"].map((path) => join(source, path));

/** What both builds have in common. Vite is loaded only now: most starts find everything built. */
const shared: InlineConfig = {
  root: source,
  configFile: false,
  // Addresses are relative, so that the app works behind any path.
  base: "./",
  logLevel: "warn",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
};

/** Files that are worth compressing. */
const compressible = /\.(?:js|css|html|svg|json)$/;

/** What the server has to know (src/gateway/http/webApp.ts). */
type Manifest = {
  /** The hash of the sources. */
  readonly sources: string;
  /** First segments of the paths that show the app; "" is the start page. */
  readonly pages: readonly string[];
  /** Paths of the files below the folder. */
  readonly files: readonly string[];
  /** What the first view of each page loads (src/gateway/http/pageHtml.ts). */
  readonly loads: {
    /** Of every page. */
    readonly app: Files;
    readonly pages: Readonly<Record<string, Files & { readonly texts?: "settings" }>>;
    readonly languages: Readonly<Record<string, Files>>;
    readonly settingsLanguages: Readonly<Record<string, Files>>;
  };
  /** What draws first views: a module for the service alone. */
  readonly firstView: string;
};

type Files = { readonly scripts: readonly string[]; readonly styles: readonly string[] };

/** Vite's list of chunks, by the path of the module that each begins with. */
type Chunks = Readonly<
  Record<string, { readonly file: string; readonly imports?: readonly string[]; readonly css?: readonly string[] }>
>;

const sources = await hashOfSources();
if ((await builtFrom()) !== sources) {
  console.log("building the web app");
  await replaceOutput();
}

async function hashOfSources(): Promise<string> {
  const files = (await Promise.all(inputs.map(filesBelow))).flat().sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(await readFile(join(root, file)));
  return hash.digest("hex");
}

/** Paths from the root of the repository, without what is built. */
async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith("web/app/dist"));
}

async function builtFrom(): Promise<string | undefined> {
  const text = await readFile(join(output, "manifest.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Manifest).sources;
}

/** Builds next to the folder and renames at the end, since a service may read it and another start may build too. */
async function replaceOutput(): Promise<void> {
  const scratch = await mkdtemp(join(source, "dist-"));
  try {
    await buildInto(scratch);
    // The service may run as another user.
    await chmod(scratch, 0o755);
    const old = `${scratch}.old`;
    await rename(output, old).catch(() => undefined);
    // Another start that was faster has built the same.
    await rename(scratch, output).catch(() => undefined);
    await rm(old, { recursive: true, force: true });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function buildInto(folder: string): Promise<void> {
  // What starts the build may be a test: Vite would then build for development, with the place of each element in the sources.
  process.env["NODE_ENV"] = "production";
  await buildForBrowsers(folder);
  const chunks = JSON.parse(await readFile(join(folder, chunkList), "utf8")) as Chunks;
  await rm(join(folder, chunkList));
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  await Promise.all(files.filter((file) => compressible.test(file)).map((file) => compress(join(folder, file))));
  await buildForService(folder);
  const pages = await pageEntries();
  const loads = loadsOf(pages, chunks);
  const manifest: Manifest = { sources, pages: Object.keys(pages), files, loads, firstView };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
}

/** One file without what is loaded later: nothing waits for it there. */
async function buildForService(folder: string): Promise<void> {
  const { build } = await import("vite");
  await build({
    ...shared,
    plugins: [{ name: "load nothing later", resolveDynamicImport: () => false }],
    ssr: { noExternal: true },
    build: {
      assetsInlineLimit: 0,
      ssr: join(source, "src/firstView/firstView.tsx"),
      outDir: folder,
      emptyOutDir: false,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: firstView } },
    },
  });
}

async function buildForBrowsers(folder: string): Promise<void> {
  const { build } = await import("vite");
  await build({
    ...shared,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target,
      cssTarget: target,
      // The policy of the page allows no data: scripts or styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: chunkList,
      rolldownOptions: {
        input: [join(source, "index.html"), join(source, appModule)],
        output: {
          codeSplitting: {
            groups: [
              // A first view of few files: what it needs from packages, and all of our own that it needs.
              {
                name: (module, context) =>
                  module.includes("node_modules") && isOfFirstView(module, (name) => context.getModuleInfo(name))
                    ? "packages"
                    : null,
                debugName: "packages",
              },
              {
                name: (module, context) =>
                  !module.includes("node_modules") && isOfFirstView(module, (name) => context.getModuleInfo(name))
                    ? "first"
                    : null,
                debugName: "first",
              },
              // What is left of the parts that several other pages share.
              { name: "shared", test: /\/src\//, minShareCount: 3, maxModuleSize: 12_000 },
            ],
          },
        },
      },
      reportCompressedSize: false,
    },
  });
}

type ModuleInfo = { readonly importers: readonly string[] };

/** Whether a chain of imports that none delays leads from one of these to a module. They themselves stay files of their own. */
function isOfFirstView(module: string, infoOf: (module: string) => ModuleInfo | null): boolean {
  const met = new Set<string>();
  const isReached = (name: string): boolean => {
    if (firstModules.includes(name)) return true;
    if (met.has(name)) return false;
    met.add(name);
    return (infoOf(name)?.importers ?? []).some(isReached);
  };
  return !firstModules.includes(module) && isReached(module);
}

async function compress(path: string): Promise<void> {
  const body = await readFile(path);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }),
    promisify(gzip)(body, { level: zlib.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}

type PageEntry = { readonly load: () => unknown; readonly texts?: "settings" };

/** Loaded at run time: the pages themselves are for browsers, and checked by the project of the app. */
async function pageEntries(): Promise<Readonly<Record<string, PageEntry>>> {
  const file: string = join(source, "src/pages/pages.ts");
  const { pages }: { pages: Readonly<Record<string, PageEntry>> } = await import(file);
  return pages;
}

function loadsOf(pages: Readonly<Record<string, PageEntry>>, chunks: Chunks): Manifest["loads"] {
  return {
    app: filesOf(appModule, chunks),
    pages: Object.fromEntries(
      Object.entries(pages).map(([name, { load, texts }]) => {
        // The import is the only thing that says where a page is.
        const module = /import\("\.\/([^"]+)"\)/.exec(String(load))?.[1];
        const files = filesOf(`src/pages/${module}`, chunks);
        return [name, texts === undefined ? files : { ...files, texts }];
      }),
    ),
    languages: languageFiles(/^src\/texts\/([a-z]{2})\.ts$/, chunks),
    settingsLanguages: languageFiles(/^src\/texts\/settings\/([a-z]{2})\.ts$/, chunks),
  };
}

function languageFiles(pattern: RegExp, chunks: Chunks): Readonly<Record<string, Files>> {
  const found = Object.keys(chunks).flatMap((module) => {
    const language = pattern.exec(module)?.[1];
    return language === undefined ? [] : [[language, filesOf(module, chunks)] as const];
  });
  if (found.length === 0) throw new Error(`no chunk is called as ${pattern} says`);
  return Object.fromEntries(found);
}

/** The files of a module and of all that it imports at once. */
function filesOf(module: string, chunks: Chunks): Files {
  const met = new Set<string>();
  const visit = (name: string): void => {
    if (met.has(name)) return;
    const chunk = chunks[name];
    if (chunk === undefined) throw new Error(`${name} is no chunk of its own`);
    met.add(name);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  visit(module);
  const all = [...met].map((name) => chunks[name]).filter((chunk) => chunk !== undefined);
  return { scripts: all.map(({ file }) => file), styles: [...new Set(all.flatMap(({ css }) => css ?? []))] };
}
