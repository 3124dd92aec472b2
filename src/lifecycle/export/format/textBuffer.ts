/**
 * UTF-8 bytes of consecutive texts in one reused buffer: separate strings would be hundreds of megabytes of garbage.
 */
export class TextBuffer {
  #bytes = Buffer.allocUnsafeSlow(65_536);
  #length = 0;

  append(text: string): void {
    // A UTF-16 unit takes three bytes at most.
    const needed = this.#length + text.length * 3;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** A copy of the bytes since the last call. */
  take(): Uint8Array {
    const taken = Uint8Array.prototype.slice.call(this.#bytes, 0, this.#length);
    this.#length = 0;
    return taken;
  }
}
