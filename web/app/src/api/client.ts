import type { DescService } from "@bufbuild/protobuf";
import type { CallOptions, Client, Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { createService } from "../../../../packages/client-js/src/createService.ts";
import { QueryService } from "../../../../packages/client-js/src/gen/lookout/v1/query_pb.ts";
import { Lifetime } from "../../../../packages/client-js/src/lifetime.ts";
import { LookoutError } from "../../../../packages/client-js/src/lookoutError.ts";
import {
  type LookoutQuery,
  type Parameter,
  type QueryAnswer,
  runQuery,
  type WatchQuery,
  watchQuery,
} from "../../../../packages/client-js/src/query.ts";
import { toLookoutError } from "../../../../packages/client-js/src/toLookoutError.ts";
import { baseUrl } from "../router/base.ts";
import { accessHeader } from "./sharedAccess.ts";

export { LookoutError };

/** 5 s more than the service's limit for a query. */
const timeoutMs = 35_000;

/** Called when the service no longer knows the session. */
let onSignedOut = (): void => undefined;

/** Sets what happens when the session has ended. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** The browser sends the session's cookie with every call; the page cannot read it. */
const noticeSignOut: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (thrown) {
    if (toLookoutError(thrown, baseUrl).code === "AUTH_REQUIRED") onSignedOut();
    throw thrown;
  }
};

/** On a shared dashboard its access is sent as well. */
const sendAccess: Interceptor = (next) => (request) => {
  const header = accessHeader();
  if (header !== undefined) request.header.set(...header);
  return next(request);
};

const transport = createConnectTransport({
  baseUrl,
  interceptors: [noticeSignOut, sendAccess],
});

/** As long as the page. */
const lifetime = new Lifetime();

/**
 * The client of a service, without the checks of clients of others (callChecks.ts): the compiler has checked the app's requests, its service is
 * of the same version, and browsers do not say why a connection failed. Each page imports the services that it calls, so that it loads
 * no others.
 */
export function clientOf<T extends DescService>(service: T): Client<T> {
  return createService(service, {
    transport,
    baseUrl,
    timeoutMs,
    retry: { attempts: 3, firstWaitMs: 200 },
    lifetime,
    checks: { request: (_, request) => request, error: (_, thrown) => errorOf(thrown) },
  });
}

const queries = clientOf(QueryService);

/** The client of the catalogue and of other calls about queries. */
export const queryClient = queries;

/** Runs a query. Each answer has rows of its parameter's type. */
export function query<const P extends readonly Parameter[]>(
  question: LookoutQuery<P>,
  options?: CallOptions,
): Promise<QueryAnswer<P>> {
  return runQuery(queries, question, options);
}

/** Answers at once, and again when new events have changed the answer. */
export function watch<const P extends readonly Parameter[]>(
  question: WatchQuery<P>,
  options?: CallOptions,
): AsyncGenerator<QueryAnswer<P>, void> {
  return watchQuery(queries, question, options);
}

/** What went wrong, for a notice. */
export function errorOf(thrown: unknown): LookoutError {
  return thrown instanceof LookoutError ? thrown : toLookoutError(thrown, baseUrl);
}
