import { execFile } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { access, chmod, mkdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import puppeteer, { type Browser } from "puppeteer-core";

const run = promisify(execFile);

/**
 * A Chromium (headless shell) out of the package @sparticuz/chromium, which carries the system libraries and fonts that it needs too.
 * Every host that ends in `.example` is this computer. Says that it is an ordinary browser, since the service drops headless ones.
 * It is unpacked below `cacheDir` once.
 */
export async function launchChromium(cacheDir: string): Promise<Browser> {
  const { folder, version } = await unpack(cacheDir);
  const missing = await missingLibraries(join(folder, "chromium"));
  return await puppeteer.launch({
    executablePath: join(folder, "chromium"),
    headless: "shell",
    args: [
      // The tests may run as root, where the sandbox does not start.
      "--no-sandbox",
      "--no-zygote",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--host-resolver-rules=MAP *.example 127.0.0.1",
      "--no-proxy-server",
      `--user-agent=Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`,
      "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LocalNetworkAccessChecks",
    ],
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      FONTCONFIG_PATH: join(folder, "fonts"),
      // Only where they are needed: the package's own are older than a system's.
      ...(missing.length > 0 ? { LD_LIBRARY_PATH: join(folder, "al2023/lib") } : {}),
    },
  });
}

/** Unpacks the package once for each version; a rename makes the folder appear whole. */
async function unpack(cacheDir: string): Promise<{ folder: string; version: string }> {
  const home = dirname(dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium"))));
  const { version }: { version: string } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  const folder = join(cacheDir, `chromium-${version}-${process.arch}`);
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    return { folder, version };
  const scratch = `${folder}.${process.pid}`;
  await mkdir(scratch, { recursive: true });
  const inflate = (name: string, to: string) =>
    pipeline(createReadStream(join(home, "bin", name)), createBrotliDecompress(), createWriteStream(to));
  await inflate("chromium.br", join(scratch, "chromium"));
  await chmod(join(scratch, "chromium"), 0o755);
  for (const name of ["al2023.tar", "fonts.tar", "swiftshader.tar"]) {
    const archive = join(scratch, name);
    const into = name === "al2023.tar" ? join(scratch, "al2023") : scratch;
    await mkdir(into, { recursive: true });
    await inflate(`${name}.br`, archive);
    await run("tar", ["-xf", archive, "-C", into]);
    await rm(archive);
  }
  try {
    await rename(scratch, folder);
  } catch (error) {
    // Another process was faster.
    await rm(scratch, { recursive: true, force: true });
    await access(folder).catch(() => Promise.reject(error));
  }
  return { folder, version };
}

/** Shared libraries that this system does not have. */
async function missingLibraries(program: string): Promise<string[]> {
  const { stdout } = await run("ldd", [program]);
  return stdout.split("\n").filter((line) => line.includes("not found"));
}
