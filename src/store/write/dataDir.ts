import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hasCode, whenMissing } from "../../errors/errorCode.ts";
import { explainFileError, StartFailure } from "../../errors/startFailure.ts";

/**
 * The form of the files in DATA_DIR: the log (src/durableLog/record.ts), dead letters, exports. Raise it when a version before cannot
 * read what this one writes.
 */
const dataFormat = 1;

/** Directories of accepted rows as versions before the first release named them. */
const oldNames = ["spool", "clicks", "uptime-spool"];

/** In a DATA_DIR that a restore is filling, until all of it is there and what was erased since is erased again. */
export const restoringDirectory = "restoring";

/**
 * The permissions of DATA_DIR: only its owner may list, read and write. When root runs the service, PostgreSQL runs as the system user
 * `nobody`, and its data directory is below DATA_DIR. To reach it, `nobody` needs execute permission (x) on DATA_DIR, so all users get
 * that permission. Every other file and directory of DATA_DIR has its own restrictive permissions.
 */
export const dataDirMode = process.getuid?.() === 0 ? 0o711 : 0o700;

/**
 * Makes DATA_DIR if it does not exist, and closes one that other users may use. Throws StartFailure when it cannot be written, when another version wrote what this one cannot
 * read, and when a restore of it has not finished, unless this is that restore; nothing is changed then. On a full disk a process starts, to store what it
 * accepted before.
 */
export function prepareDataDir(dataDir: string, isRestore = false): void {
  refuseOldDataDir(dataDir);
  if (!isRestore && existsSync(join(dataDir, restoringDirectory)))
    throw new StartFailure(
      `DATA_DIR (${dataDir}) is being restored, or its restore was interrupted: it may lack data, and hold data that was erased ` +
        "since. Run npm run restore again.",
    );
  makeWritable(dataDir);
  const found = readFormat(dataDir);
  // Number("") is 0, and that of a word is no number.
  if (!(Number(found) <= dataFormat)) throw newerFormat(dataDir, found);
  closeToOthers(dataDir);
}

function newerFormat(dataDir: string, found: string): StartFailure {
  return new StartFailure(
    `DATA_DIR (${dataDir}) was written by a newer version of Lookout: its format is ${found.slice(0, 20)}, and this version reads up to ${dataFormat}. ` +
      "Nothing was changed. Start the newer version, or set DATA_DIR to another directory.",
  );
}

function refuseOldDataDir(dataDir: string): void {
  const found = oldNames.find((name) => existsSync(join(dataDir, name)));
  if (found === undefined) return;
  throw new StartFailure(
    `DATA_DIR (${dataDir}) was written by a version before the first release: it has a directory ${found}, whose rows this version ` +
      "cannot read. Nothing was changed. Set DATA_DIR to another directory, or start that version to store its rows.",
  );
}

function makeWritable(dataDir: string): void {
  const attempt = (verb: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartFailure(`Cannot ${verb} ${dataDir} (${reason}). Set DATA_DIR to a directory you may write to.`);
    }
  };
  attempt("make", () => void mkdirSync(dataDir, { recursive: true, mode: dataDirMode }));
  attempt("write to", () => accessSync(dataDir, constants.W_OK | constants.X_OK));
}

/**
 * Versions before made it as the umask said, so mostly readable for every user. A mode without any right for others was chosen, such as
 * 0750 for a group that makes backups, and stays.
 */
function closeToOthers(dataDir: string): void {
  if (dataDirMode === 0o711)
    for (const name of readdirSync(dataDir)) {
      const path = join(dataDir, name);
      const { mode } = lstatSync(path, { throwIfNoEntry: false }) ?? { mode: 0 };
      const isOpen = (mode & constants.S_IFMT) !== constants.S_IFLNK && (mode & 0o007) !== 0;
      if (isOpen) allowAtMost(path, mode & 0o700);
    }
  const { mode } = statSync(dataDir);
  if ((mode & 0o007 & ~dataDirMode) !== 0) allowAtMost(dataDir, dataDirMode);
}

/** Only its owner can change the mode; another user who may write there leaves that to the owner. */
function allowAtMost(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!hasCode(error, "EPERM", "EROFS", "ENOENT", "ENOTSUP")) throw error;
  }
}

/** The format as its file says it; empty where there is none, and then ours is noted. */
function readFormat(dataDir: string): string {
  const path = join(dataDir, "format");
  try {
    const found = readIfThere(path)?.trim() ?? "";
    if (found === "") noteFormat(path);
    return found;
  } catch (error) {
    throw explainFileError(error, dataDir);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return whenMissing(error);
  }
}

/** Renamed, so that a crash leaves no half of it. Two processes that start at once write the same. */
function noteFormat(path: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, `${dataFormat}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    if (!hasCode(error, "ENOSPC", "EDQUOT")) throw error;
  }
}
