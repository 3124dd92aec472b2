import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { type Certificate, certificateOf } from "./certificate.ts";
import { type Resolved, type ResolveOptions, resolveHost } from "./resolveHost.ts";

/** The phase of a request, for the message of a timeout. */
export type Phase =
  | "resolving the name"
  | "connecting"
  | "in the TLS handshake"
  | "waiting for the answer"
  | "reading the answer";

/** A newly opened connection, and how long each step took in ms. `certificate` is undefined without TLS. */
export type Connection = {
  readonly socket: Socket | TLSSocket;
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly certificate: Certificate | undefined;
  /** The protocol negotiated by ALPN (RFC 7301): h2 or http/1.1; undefined without TLS or ALPN. */
  readonly protocol: string | undefined;
};

export type ConnectOptions = ResolveOptions & {
  /** What ALPN offers. */
  readonly protocols: readonly string[];
  readonly onPhase: (phase: Phase) => void;
};

/** Opens a fresh connection to a URL's host. Rejects with the error of the failed step; nothing stays open then. */
export async function openConnection(url: URL, options: ConnectOptions): Promise<Connection> {
  const { signal, onPhase } = options;
  onPhase("resolving the name");
  const began = performance.now();
  const addresses = await resolveHost(url.hostname, options);
  const resolved = performance.now();
  onPhase("connecting");
  const isTls = url.protocol === "https:";
  const socket = await firstThatConnects(addresses, Number(url.port) || (isTls ? 443 : 80), signal);
  const connected = performance.now();
  const times = { dnsMs: resolved - began, connectMs: connected - resolved };
  if (!isTls) return { socket, ...times, tlsMs: 0, certificate: undefined, protocol: undefined };
  onPhase("in the TLS handshake");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const secure = await handshake(socket, host, options.protocols, signal);
  return {
    socket: secure,
    ...times,
    tlsMs: performance.now() - connected,
    certificate: certificateOf(secure, host),
    protocol: secure.alpnProtocol || undefined,
  };
}

/** The first address that accepts the connection, each with an equal part of the timeout. */
async function firstThatConnects(addresses: readonly Resolved[], port: number, signal: AbortSignal): Promise<Socket> {
  let failure: unknown;
  for (const { address, family } of addresses)
    try {
      return await connected(connectTcp({ host: address, port, family, noDelay: true }), "connect", signal);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  throw failure;
}

function handshake(
  socket: Socket,
  host: string,
  protocols: readonly string[],
  signal: AbortSignal,
): Promise<TLSSocket> {
  // Checked by certificateOf, so that the expiry of an invalid certificate can be reported too.
  const options = {
    socket,
    host,
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    ALPNProtocols: [...protocols],
  };
  const isName = /[a-z]/i.test(host) && !host.includes(":");
  return connected(connectTls(isName ? { ...options, servername: host } : options), "secureConnect", signal);
}

/** Resolves at the event; destroys the socket when it fails or the signal aborts first. */
function connected<T extends Socket>(socket: T, event: "connect" | "secureConnect", signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => fail(signal.reason);
    const fail = (error: unknown) => {
      settle();
      socket.on("error", () => undefined);
      socket.destroy();
      reject(error);
    };
    const closed = () => fail(new Error("the connection was closed"));
    const settle = () => {
      signal.removeEventListener("abort", abort);
      socket.off("error", fail).off("close", closed);
    };
    socket.once("error", fail).once("close", closed);
    socket.once(event, () => {
      settle();
      resolve(socket);
    });
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
