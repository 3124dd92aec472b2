import { exitCodes, StartFailure } from "../errors/startFailure.ts";

/** A failed backup, restore or check. The message says what to do, for the operator who asked for it. */
export class BackupError extends StartFailure {
  override name = "BackupError";
}

/** Another backup of this installation is being made. */
export class BackupBusyError extends BackupError {
  override name = "BackupBusyError";

  constructor() {
    super("Another backup is being made. Wait for it to end, then try again.", exitCodes.failed);
  }
}
