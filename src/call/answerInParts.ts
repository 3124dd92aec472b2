/**
 * An answer that is produced in pieces, at the client's pace, because it might not fit into memory. A handler may
 * return one instead of its message.
 *
 * An error thrown before the first piece is answered as an error; later the answer breaks off.
 */
export class AnswerInParts<Message extends object> {
  /** The pieces of the JSON text, in order. */
  readonly json: () => AsyncIterable<string>;
  /** The whole message, for transports that cannot send pieces. */
  readonly whole: () => Promise<Message>;

  constructor(makers: { json: () => AsyncIterable<string>; whole: () => Promise<Message> }) {
    this.json = makers.json;
    this.whole = makers.whole;
  }
}
