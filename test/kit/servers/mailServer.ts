import { once } from "node:events";
import { SMTPServer } from "smtp-server";

export type Mail = { readonly to: readonly string[]; readonly text: string };

export type MailServer = { readonly url: string; readonly mails: readonly Mail[]; close(): Promise<void> };

/** A mail server that stores its mails. Messages are unchanged except for the line breaks of quoted-printable. */
export async function startMailServer(): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      let text = "";
      stream.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      stream.on("end", () => {
        const plain = text.replaceAll("=\r\n", "").replaceAll("=3D", "=");
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: plain });
        done();
      });
    },
  });
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("the mail server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
