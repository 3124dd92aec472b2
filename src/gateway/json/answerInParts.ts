/**
 * An answer that is made piece by piece, at the client's pace, because all of it might not fit into memory. A handler may return one
 * instead of its message.
 *
 * What is thrown before the first piece is answered as an error; later the answer breaks off.
 */
export class AnswerInParts<Message extends object> {
  /** Makes the pieces of the JSON text, in order. */
  readonly json: () => AsyncIterable<string>;
  /** Makes the whole message, for transports that cannot send it otherwise. */
  readonly whole: () => Promise<Message>;

  constructor(makers: { json: () => AsyncIterable<string>; whole: () => Promise<Message> }) {
    this.json = makers.json;
    this.whole = makers.whole;
  }
}
