/** How a process ends; docs/operate/run.md lists them. */
export const exitCodes = {
  /** It was asked to stop. */
  stopped: 0,
  /** It failed: a store did not answer in time, or a defect. Another start may succeed. */
  failed: 1,
  /** It cannot start before its operator has changed something: a setting, a directory, a port, a version. */
  needsOperator: 2,
} as const;

/** Why a process does not start. The message is for its operator: what is wrong, and what to do. */
export class StartFailure extends Error {
  override name = "StartFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.needsOperator) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Reports why a command failed, and sets its exit code. `explain` words an error that is not a StartFailure; it gets the
 * error's code only, such as " (ECONNREFUSED)", because a driver's message may quote an address with its password.
 */
export function reportFailure(error: unknown, explain: (code: string) => string): void {
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  const failure = error instanceof StartFailure ? error : new StartFailure(explain(code), exitCodes.failed);
  console.error(`\n${failure.message}`);
  process.exitCode = failure.exitCode;
}

/** A port that cannot be listened on, with the code of the system error, such as EADDRINUSE. */
export function listenFailure(code: string, host: string, port: number): StartFailure {
  if (code === "EADDRINUSE")
    return new StartFailure(`Port ${port} is taken. Stop what listens there, or set PORT to another number.`);
  if (code === "EACCES")
    return new StartFailure(`This user may not listen on port ${port}. Set PORT to 1024 or above.`);
  return new StartFailure(`Cannot listen on ${host} (${code}). Set HOST to an address of this machine.`);
}

/** The codes of file operations that fail because of where a file is or whose it is. */
const fileErrors = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EISDIR", "EEXIST", "ENOENT", "ELOOP", "EIO"]);

/** A failed operation on a file of DATA_DIR as a StartFailure; other errors unchanged. */
export function explainFileError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !("path" in error) || !("code" in error)) return error;
  if (!String(error.path).startsWith(dataDir) || !fileErrors.has(String(error.code))) return error;
  return new StartFailure(`A file could not be used: ${error.message}. Fix that or set DATA_DIR to another directory.`);
}
