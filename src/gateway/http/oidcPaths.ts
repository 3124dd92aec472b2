import { cookieValue, securedCookie, sessionCookieIn } from "../../access/sessionCookie.ts";
import type { AccountCall } from "../../accounts/accountCall.ts";
import { oidcProviderId } from "../../accounts/oidcProvider.ts";
import { auditLinkedProvider, auditSignIn } from "../../accounts/session/auditSignIn.ts";
import { signInHeaders } from "../../accounts/session/signInHeaders.ts";
import { ApiError } from "../../errors/errors.ts";
import { ErrorShape } from "../../gen/gateway/v1/json_pb.ts";
import { errorBody, toApiError } from "../errorAnswer.ts";
import { HttpCall, type HttpRequest, type HttpResponse } from "./httpCall.ts";

/**
 * Sign-in at an OpenID Connect provider (Core 1.0, section 3.1, with PKCE and a nonce). GET /auth/oidc/start redirects
 * the browser to the provider. GET /auth/oidc/callback is where the browser returns: it sets the session and redirects
 * to the start page, or to the path given to start as `redirect`. Only browsers follow these redirects, so they are no
 * RPCs. better-auth does the work.
 */
export class OidcPaths {
  readonly #app: AccountCall["app"];

  constructor(app: AccountCall["app"]) {
    this.#app = app;
  }

  /** True when the path is one of these and a provider is configured, so when the request is or will be answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    if (this.#app.config.accounts.oidc === undefined || request.method !== "GET") return false;
    const [path, query = ""] = (request.url ?? "").split("?", 2);
    if (path !== startPath && path !== callbackPath) return false;
    request.resume();
    const call = new HttpCall(this.#app, request, response);
    const answer = path === startPath ? this.#start(query, call) : this.#comeBack(query, call);
    void answer.then(
      ({ location, cookies }) => {
        response.writeHead(302, {
          location,
          "cache-control": "no-store",
          "x-request-id": call.requestId,
          "set-cookie": cookies.map((cookie) => securedCookie(call, cookie)),
        });
        response.end();
      },
      (thrown: unknown) => fail(thrown, call),
    );
    return true;
  }

  async #start(query: string, call: HttpCall<AccountCall["app"]>): Promise<Redirect> {
    const auth = await this.#auth();
    const callbackURL = readRedirect(new URLSearchParams(query).get("redirect"));
    const { response, headers } = await auth.api.signInSocial({
      body: { provider: oidcProviderId, callbackURL, errorCallbackURL: failedPath },
      headers: signInHeaders(call),
      returnHeaders: true,
    });
    if (!("url" in response) || response.url === undefined) throw new Error("better-auth named no provider's address");
    return { location: response.url, cookies: headers.getSetCookie() };
  }

  async #comeBack(query: string, call: HttpCall<AccountCall["app"]>): Promise<Redirect> {
    const auth = await this.#auth();
    const headers = signInHeaders(call);
    headers.set("cookie", call.header("cookie") ?? "");
    const address = `${this.#app.config.server.baseUrl}/auth/callback/${oidcProviderId}?${query}`;
    const beganMs = Date.now();
    const answer = await auth.handler(new Request(address, { headers }));
    const location = answer.headers.get("location");
    const failure = location === null ? null : new URL(location, address).searchParams.get("error");
    if (location === null || failure !== null) throw refusal(failure);
    await this.#note(answer.headers, call, beganMs);
    return { location, cookies: answer.headers.getSetCookie() };
  }

  async #note(headers: Headers, call: HttpCall<AccountCall["app"]>, beganMs: number): Promise<void> {
    const cookie = sessionCookieIn(headers);
    const session = cookie === undefined ? undefined : await this.#app.accounts.sessions.find(cookieValue(cookie));
    if (session === undefined) return;
    await auditLinkedProvider(session.caller, beganMs, call);
    await auditSignIn(session.caller, "oidc", call);
  }

  async #auth() {
    const auth = await this.#app.accounts.oidcAuth();
    if (auth === undefined) throw new Error("no provider is set");
    return auth;
  }
}

type Redirect = { readonly location: string; readonly cookies: readonly string[] };

const startPath = "/auth/oidc/start";
const callbackPath = "/auth/oidc/callback";
/** Never served: what better-auth would redirect here is answered at once. */
const failedPath = "/auth/oidc/failed";

/** A path of our own; another site's address would make this an open redirect. */
function readRedirect(given: string | null): string {
  if (given === null) return "/";
  if (/^\/(?![/\\])[\w\-./?=&%#]*$/.test(given)) return given;
  throw new ApiError("VALIDATION_ERROR", "redirect must be a path such as /websites", {
    details: [{ field: "redirect", message: "must be a path such as /websites" }],
  });
}

function refusal(failure: string | null): ApiError {
  if (failure === "account_not_linked" || failure === "account not linked")
    return new ApiError(
      "ACCESS_DENIED",
      "Your e-mail address has an account with a password, and it is not proved here that the address is yours. Sign in with the password",
    );
  return new ApiError("UNAUTHORIZED", "Signing in at the provider did not work. Begin again at /auth/oidc/start");
}

function fail(thrown: unknown, call: HttpCall<AccountCall["app"]>): void {
  const error = toApiError(thrown, call.app, "auth.oidc", call.requestId);
  const body = JSON.stringify(errorBody(error, call.requestId, ErrorShape.UNSPECIFIED));
  call.response.writeHead(error.status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": call.requestId,
    ...error.headers,
  });
  call.response.end(body);
}
