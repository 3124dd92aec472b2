import { writeSync } from "node:fs";

/**
 * Writes log lines to a file descriptor and never fails: a line that cannot be written (ENOSPC, EPIPE, EAGAIN) is
 * counted and dropped, since a service must not end, block or run out of memory because of its log. The next line that
 * can be written is preceded by one with the number lost.
 */
export class LogOutput {
  lostLines = 0;
  readonly #fd: number;
  #lostSinceWritten = 0;
  #isLineCut = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    const isWritten =
      this.#lostSinceWritten === 0 ? this.#tryWrite(line) : this.#tryWrite(this.#gapLine()) && this.#tryWrite(line);
    if (isWritten) {
      this.#lostSinceWritten = 0;
    } else {
      this.lostLines += 1;
      this.#lostSinceWritten += 1;
    }
  }

  #gapLine(): string {
    const gap = { level: 40, time: new Date().toISOString(), lostLines: this.#lostSinceWritten, msg: gapMessage };
    return `${this.#isLineCut ? "\n" : ""}${JSON.stringify(gap)}\n`;
  }

  #tryWrite(text: string): boolean {
    let rest = Buffer.from(text);
    try {
      while (rest.length > 0) {
        rest = rest.subarray(writeSync(this.#fd, rest));
        this.#isLineCut = rest.length > 0;
      }
      return true;
    } catch {
      return false;
    }
  }
}

const gapMessage = "log lines before this one could not be written";
