import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib";

export type CertificateName = "good" | "expired" | "otherHost" | "addressOnly" | "commonName" | "selfSigned";

/** A server that does what its path says; `requests` holds its requests. */
export type TargetServer = {
  readonly port: number;
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }[];
  readonly close: () => Promise<void>;
};

function certificateFile(name: string): Buffer {
  return readFileSync(new URL(`./certificates/${name}`, import.meta.url));
}

/** The authority that signed all but the self-signed certificate. */
export function testAuthority(): string {
  return certificateFile("authority.pem").toString();
}

export async function startTarget({
  tls,
  http2 = false,
}: {
  tls?: CertificateName;
  http2?: boolean;
} = {}): Promise<TargetServer> {
  const requests: TargetServer["requests"] = [];
  let failures = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      requests.push({ method, path, headers, body: Buffer.concat(parts).toString() });
      act(path, response, headers, () => failures++);
    });
  };
  const options =
    tls === undefined ? undefined : { key: certificateFile(`${tls}.key`), cert: certificateFile(`${tls}.pem`) };
  // The compatibility API of node:http2 gives handlers the same shape.
  const server: Server =
    options === undefined
      ? createServer(answer)
      : http2
        ? createSecureServer({ ...options, allowHTTP1: false }, answer as never)
        : createTlsServer(options, answer);
  return { requests, ...(await listening(server)) };
}

/** A server of raw bytes: `act` gets each connection. */
export async function startRawTarget(act: (socket: Socket) => void): Promise<Omit<TargetServer, "requests">> {
  return await listening(createTcpServer(act));
}

async function listening(server: Server): Promise<Pick<TargetServer, "port" | "close">> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, close };
}

function act(
  path: string,
  response: ServerResponse,
  headers: IncomingMessage["headers"],
  failures: () => number,
): void {
  const [, name, argument = ""] = path.replace(/\?.*/, "").split("/");
  switch (name) {
    case "ok":
      return void response.end("all is well");
    case "slow":
      return void setTimeout(() => response.end("at last"), Number(argument));
    case "hang":
      return;
    case "hangInBody":
      return void response.write("first part");
    case "status":
      response.statusCode = Number(argument);
      return void response.end(`status ${argument}`);
    case "reset":
      return void response.socket?.resetAndDestroy();
    case "huge":
      return void response.end(Buffer.alloc(Number(argument), "x"));
    case "gzip":
      response.setHeader("content-encoding", "gzip");
      return void response.end(gzipSync("the keyword is packed"));
    case "brotli":
      response.setHeader("content-encoding", "br");
      return void response.end(brotliCompressSync("the keyword is packed"));
    case "rawDeflate":
      response.setHeader("content-encoding", "deflate");
      return void response.end(deflateRawSync("the keyword is packed"));
    // A Content-Type, and the bytes of the body in hexadecimal.
    case "bytes": {
      const [type = "", hex = ""] = decodeURIComponent(argument).split("|");
      response.setHeader("content-type", type);
      return void response.end(Buffer.from(hex, "hex"));
    }
    // The Content-Type, and what is sent before the answer stays open without an end.
    case "endless": {
      const [type = "", text = ""] = decodeURIComponent(argument).split("|");
      response.setHeader("content-type", type);
      response.write(text);
      const timer = setInterval(() => response.write(": more\n\n"), 20);
      return void response.on("close", () => clearInterval(timer));
    }
    // A page that needs a cookie, and the page that sets it.
    case "needsCookie":
      if (headers.cookie?.includes("sid=1")) return void response.end(`cookies: ${headers.cookie}`);
      response.statusCode = 302;
      response.setHeader("location", "/setsCookie");
      return void response.end();
    case "setsCookie":
      response.statusCode = 302;
      response.setHeader("set-cookie", ["sid=1; Path=/; HttpOnly", "other=2; Domain=elsewhere.example"]);
      response.setHeader("location", argument === "" ? "/needsCookie" : decodeURIComponent(argument));
      return void response.end();
    case "cookies":
      return void response.end(`cookies: ${headers.cookie ?? "none"}`);
    case "headers":
      for (let index = 0; index < Number(argument); index++) response.setHeader(`x-${index}`, "1");
      return void response.end();
    case "bomb":
      response.setHeader("content-encoding", "gzip");
      return void response.end(gzipSync(Buffer.alloc(Number(argument))));
    case "json":
      response.setHeader("content-type", "application/json");
      return void response.end(decodeURIComponent(argument));
    case "redirect":
      response.statusCode = 302;
      response.setHeader("location", decodeURIComponent(argument));
      return void response.end();
    case "loop":
      response.statusCode = 301;
      response.setHeader("location", "/loop");
      return void response.end();
    case "chain": {
      const left = Number(argument);
      response.statusCode = left === 0 ? 200 : 307;
      if (left > 0) response.setHeader("location", `/chain/${left - 1}`);
      return void response.end();
    }
    case "flap":
      response.statusCode = failures() % 2 === 0 ? 500 : 200;
      return void response.end();
    default:
      response.statusCode = 404;
      return void response.end();
  }
}
