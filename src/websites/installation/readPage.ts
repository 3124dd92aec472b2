import type { BlockList } from "node:net";
import { openConnection } from "../../outbound/connection.ts";
import { type Exchange, exchange } from "../../outbound/exchange.ts";
import { OutboundRefused } from "../../outbound/resolveHost.ts";
import { acceptedEncodings, bodyText } from "../../uptime/check/bodyText.ts";
import type { ReadPage } from "./judgePage.ts";

/** A page, or why there is none. `status` is that of the answer. */
export type PageAnswer =
  | { readonly kind: "page"; readonly page: ReadPage; readonly status: number }
  | { readonly kind: "refused" | "unreachable" }
  | { readonly kind: "failed"; readonly status: number; readonly url: URL };

const timeoutMs = 10_000;
/** The tag belongs into the head. What exceeds this is not read. */
const maxBytes = 2_000_000;
const maxRedirects = 5;

/**
 * Reads a page as a browser would, over fresh connections, and follows redirects. Addresses that are not public are refused. Only an abort by the
 * caller rejects.
 */
export async function readPage(first: URL, allowed: BlockList, caller: AbortSignal): Promise<PageAnswer> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(timeoutMs)]);
  let url = first;
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const answer = await ask(url, allowed, signal);
      if (answer === undefined) return { kind: "unreachable" };
      const next = redirectOf(answer, url);
      if (next === undefined) return await pageOf(answer, url);
      url = next;
    }
    return { kind: "unreachable" };
  } catch (error) {
    caller.throwIfAborted();
    return { kind: error instanceof OutboundRefused ? "refused" : "unreachable" };
  }
}

/** One hop; undefined where browsers would stop at the certificate. */
async function ask(url: URL, allowed: BlockList, signal: AbortSignal): Promise<Exchange | undefined> {
  const onPhase = () => undefined;
  const connection = await openConnection(url, { family: 0, allowed, signal, protocols: ["h2", "http/1.1"], onPhase });
  if (connection.certificate?.problem !== undefined) {
    connection.socket.destroy();
    return undefined;
  }
  const headers = {
    "user-agent": "Mozilla/5.0 (compatible; Lookout-Installation/1.0)",
    accept: "text/html,application/xhtml+xml",
    "accept-encoding": acceptedEncodings,
  };
  const onStatus = () => undefined;
  const request = { url, method: "GET", headers, body: undefined, maxBodyBytes: maxBytes, signal, onPhase, onStatus };
  return await exchange(connection, { ...request, endless: { until: "", maxMs: timeoutMs } });
}

function redirectOf({ status, headers }: Exchange, from: URL): URL | undefined {
  const target = headerText(headers, "location");
  if (![301, 302, 303, 307, 308].includes(status) || target === "") return undefined;
  const url = URL.parse(target, from);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

async function pageOf({ status, headers, body }: Exchange, url: URL): Promise<PageAnswer> {
  const contentType = headerText(headers, "content-type");
  if (status >= 400 || status < 200 || !/html/i.test(contentType)) return { kind: "failed", status, url };
  const read = await bodyText(
    body,
    { contentEncoding: headerText(headers, "content-encoding"), contentType },
    maxBytes,
  );
  if ("problem" in read) return { kind: "failed", status, url };
  const policyHeader = headerText(headers, "content-security-policy");
  return { kind: "page", status, page: { url, html: read.text, policyHeader } };
}

function headerText(headers: Exchange["headers"], name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}
