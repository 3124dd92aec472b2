/**
 * Installs the packages if necessary and prints the path of Node 24 for run.sh. All other output goes to standard error.
 *
 * Runs on any Node from 20 on, before any package is installed: plain JavaScript that imports only Node's modules.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = realpathSync(fileURLToPath(new URL("..", import.meta.url)));
const modules = join(root, "node_modules");
const progressMs = 5_000;
const parentCheckMs = 1_000;

const setpriv = spawnSync("setpriv", ["--pdeathsig", "KILL", "--", "true"]).status === 0;

// A full disk or a closed pipe for our output must not prevent starting and stopping the servers.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
checkMachine();
await installPackages();
console.log(findNode24());

function checkMachine() {
  if (process.platform !== "linux" || !["x64", "arm64"].includes(process.arch))
    fail(
      `The local stack runs on Linux (x64, arm64), not on ${process.platform} ${process.arch}. Use: docker compose up`,
    );
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20) fail(`Node 20 or later is needed, this is ${process.version}. Install a newer one.`);
}

/** Installs exactly what package-lock.json says, unless node_modules is up to date. */
async function installPackages() {
  if (isInstalled()) return;
  const release = await lockInstallation();
  try {
    if (isInstalled()) return;
    const startedAt = Date.now();
    const seconds = () => `${Math.round((Date.now() - startedAt) / 1_000)} s`;
    log("installing packages (npm ci) ...");
    const timer = setInterval(() => log(`installing packages (npm ci) ... ${seconds()}`), progressMs);
    const { code, output } = await runNpm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    clearInterval(timer);
    if (code !== 0)
      fail(`npm ci failed:\n${output.split("\n").slice(0, 40).join("\n")}\nCorrect that and start again.`, 1);
    writeFileSync(stampFile(), lockHash());
    log(`installing packages (npm ci): done in ${seconds()}`);
  } finally {
    release();
  }
}

function isInstalled() {
  if (existsSync(stampFile())) return readFileSync(stampFile(), "utf8") === lockHash();
  return wasInstalledByHand();
}

/** The file that npm writes last, in the same format as package-lock.json. */
function wasInstalledByHand() {
  const file = join(modules, ".package-lock.json");
  if (!existsSync(file)) return false;
  const installed = JSON.parse(readFileSync(file, "utf8")).packages;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === "" || installed[path]?.version === version || (optional && !installed[path]),
  );
}

function stampFile() {
  return join(modules, ".lookout-lock-hash");
}

function lockHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** One installation at a time. The lock is a name that the kernel frees when its holder ends (unix(7), abstract sockets). */
async function lockInstallation() {
  const path = `\0lookout-install-${createHash("sha256").update(root).digest("hex")}`;
  for (let round = 0; ; round++) {
    const server = createServer();
    const free = await new Promise((resolve) => {
      server.once("error", () => resolve(false));
      server.listen({ path }, () => resolve(true));
    });
    if (free) return () => server.close();
    if (round % 10 === 0) log("another start installs the packages, waiting ...");
    await sleep(500);
  }
}

function runNpm(npmArgs) {
  const given = process.env.npm_execpath ?? "";
  const npm = given.endsWith("npm-cli.js") ? [process.execPath, given] : ["npm"];
  return new Promise((resolve) => {
    const [program, ...args] = setpriv
      ? ["setpriv", "--pdeathsig", "KILL", "--", ...npm, ...npmArgs]
      : [...npm, ...npmArgs];
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(0, 10_000);
      });
    child.once("error", (error) => resolve({ code: 1, output: `${error.message}. Is npm on PATH?` }));
    child.once("close", (code) => resolve({ code, output }));
    const stop = () => {
      child.kill("SIGKILL");
      process.exit(130);
    };
    // A killed shell does not tell us.
    const parent = process.ppid;
    const timer = setInterval(() => process.ppid === parent || stop(), parentCheckMs);
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    child.once("close", () => {
      clearInterval(timer);
      process.off("SIGINT", stop).off("SIGTERM", stop);
    });
  });
}

function findNode24() {
  const packaged = join(modules, `node-linux-${process.arch}`, "bin", "node");
  if (existsSync(packaged)) return packaged;
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  return fail(
    `Node 24 is missing: the package node-linux-${process.arch} is not installed. Run npm ci, or use Node 24.`,
  );
}

function log(line) {
  console.error(`[lookout] ${line}`);
}

/** Exit codes are those of src/errors/startFailure.ts; 2: the operator has to change something first. */
function fail(message, exitCode = 2) {
  console.error(`\n${message}`);
  process.exit(exitCode);
}
