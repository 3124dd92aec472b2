import { once } from "node:events";
import { connect, createServer } from "node:net";

/** A proxy in front of QuestDB that breaks off statements. */
export type BrokenOffReads = {
  /** The address of QuestDB by way of the proxy. */
  readonly url: string;
  /** Breaks off the next statements that have this text in them or in their values, with this message. */
  breakOff(statements: { readonly withText: string; readonly times: number; readonly message: string }): void;
  /** How many statements are still to be broken off. */
  left(): number;
  close(): Promise<void>;
};

const commandComplete = "C".charCodeAt(0);

/**
 * QuestDB's rows reach the client, but in place of the end of the answer comes an error as QuestDB words it, with the code 00000. QuestDB itself
 * does so too rarely for a test.
 */
export async function breakOffReads(questdbUrl: string): Promise<BrokenOffReads> {
  const target = new URL(questdbUrl);
  let [withText, times, message] = ["", 0, ""];
  const server = createServer((client) => {
    const questdb = connect(Number(target.port), target.hostname);
    let isMarked = false;
    let pending = Buffer.alloc(0);
    client.on("data", (bytes: Buffer) => {
      isMarked ||= times > 0 && bytes.includes(withText);
      questdb.write(bytes);
    });
    questdb.on("data", (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes]);
      // A message is its type, its length without the type, and its content.
      while (pending.length >= 5 && pending.length > pending.readUInt32BE(1)) {
        const end = 1 + pending.readUInt32BE(1);
        const isBrokenOff = isMarked && times > 0 && pending[0] === commandComplete;
        client.write(isBrokenOff ? errorResponse(message) : pending.subarray(0, end));
        if (isBrokenOff) [isMarked, times] = [false, times - 1];
        pending = pending.subarray(end);
      }
    });
    for (const [one, other] of [
      [client, questdb],
      [questdb, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(questdbUrl);
  url.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    url: url.href,
    breakOff: (statements) => {
      ({ withText, times, message } = statements);
    },
    left: () => times,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

function errorResponse(message: string): Buffer {
  const content = Buffer.from(`C00000\0M${message}\0SERROR\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
