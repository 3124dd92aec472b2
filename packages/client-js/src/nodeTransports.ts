import type { Agent } from "node:http";
import type { ClientSessionOptions, SecureClientSessionOptions } from "node:http2";
import type { Interceptor, Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import type { Connection } from "./createLookout.ts";
import type { FetchProtocol } from "./fetchTransport.ts";
import { Sessions } from "./sessions.ts";

/** An agent of `node:http` or `node:https`. */
export type Http1Agent = Agent;

/** Options of `connect` of `node:http2`. */
export type Http2Options = ClientSessionOptions | SecureClientSessionOptions;

/** A way to the service over HTTP/1.1 whose connections an agent makes. */
export function http1Transport(
  baseUrl: string,
  protocol: FetchProtocol,
  interceptors: Interceptor[],
  agent: Http1Agent,
): Transport {
  const create = protocol === "connect" ? createConnectTransport : createGrpcWebTransport;
  return create({ baseUrl, interceptors, httpVersion: "1.1", nodeOptions: { agent }, useBinaryFormat: false });
}

const usualPingIntervalMs = 30_000;
const longestPingMs = 15_000;

/** A way to the service over gRPC. */
export function http2Connection(
  baseUrl: string,
  interceptors: Interceptor[],
  http2?: Http2Options,
  pingIntervalMs = usualPingIntervalMs,
): Connection {
  const ping = { pingIntervalMs, pingTimeoutMs: Math.min(longestPingMs, pingIntervalMs) };
  const sessionManager = new Sessions(baseUrl, ping, http2);
  return {
    transport: createGrpcTransport({ baseUrl, interceptors, sessionManager }),
    close: () => sessionManager.abort(),
  };
}
