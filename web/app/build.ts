/**
 * Builds the web app into web/app/dist, which the API serves: `node web/app/build.ts`. Does nothing when what is there
 * was made of the same sources; `npm start` and the tests run it each time.
 */
import { createHash } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";

const source = import.meta.dirname;
const root = join(source, "../..");
const output = join(source, "dist");

/** What the build depends on: the app, the client of the API, and the versions of packages. */
const inputs = ["web/app", "packages/client-js/src", "package-lock.json"];

/** Browsers since 2024, which know `light-dark()` and nested style sheets. */
const target = ["chrome123", "firefox121", "safari17.5"];

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
};

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
  // Loaded only now: most starts find everything built.
  const { build } = await import("vite");
  await build({
    root: source,
    configFile: false,
    // Addresses are relative, so that the app works behind any path.
    base: "./",
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target,
      cssTarget: target,
      // The policy of the page allows no data: scripts or styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  });
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  await Promise.all(files.filter((file) => compressible.test(file)).map((file) => compress(join(folder, file))));
  const manifest: Manifest = { sources, pages: await pageNames(), files };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
}

async function compress(path: string): Promise<void> {
  const body = await readFile(path);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }),
    promisify(gzip)(body, { level: zlib.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}

/** Loaded at run time: the pages themselves are for browsers, and checked by the project of the app. */
async function pageNames(): Promise<string[]> {
  const file: string = join(source, "src/pages/pages.ts");
  const { pages }: { pages: object } = await import(file);
  return Object.keys(pages);
}
