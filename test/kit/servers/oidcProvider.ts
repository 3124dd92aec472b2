import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** The claims of a user at the provider. */
export type Claims = {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
};

export type OidcProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The user who signs in next, without a prompt. */
  person: Claims;
  /** What the provider does wrong. */
  fault: "none" | "foreign key" | "other nonce" | "other audience" | "refuses";
  close(): Promise<void>;
};

type Pending = {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly claims: Claims;
};

/**
 * A small OpenID Connect provider (Core 1.0, section 3.1): authorization code, PKCE with S256, ES256 ID tokens. It checks what a client has
 * to send.
 */
export async function startOidcProvider(): Promise<OidcProvider> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const foreign = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "1", alg: "ES256", use: "sig" };
  const codes = new Map<string, Pending>();
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the provider has no port");
  const provider: OidcProvider = {
    issuer: `http://127.0.0.1:${address.port}`,
    clientId: "lookout",
    clientSecret: "a secret of the client",
    person: { sub: "1", email: "ada@example.com", email_verified: true, name: "Ada" },
    fault: "none",
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return provider;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", provider.issuer);
    if (url.pathname === "/.well-known/openid-configuration") send(response, discovery());
    else if (url.pathname === "/jwks") send(response, { keys: [jwk] });
    else if (url.pathname === "/authorize") authorize(url.searchParams, response);
    else if (url.pathname === "/token") await issue(request, response);
    else response.writeHead(404).end();
  }

  function discovery(): object {
    return {
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/authorize`,
      token_endpoint: `${provider.issuer}/token`,
      jwks_uri: `${provider.issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
    };
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const value = (name: string) => query.get(name) ?? "";
    const isWhole =
      value("client_id") === provider.clientId &&
      value("response_type") === "code" &&
      value("scope").split(" ").includes("openid") &&
      value("code_challenge_method") === "S256" &&
      value("nonce") !== "" &&
      value("state") !== "";
    if (!isWhole) return void send(response, { error: "invalid_request" }, 400);
    const back = new URL(value("redirect_uri"));
    back.searchParams.set("state", value("state"));
    if (provider.fault === "refuses") back.searchParams.set("error", "access_denied");
    else {
      const code = randomUUID();
      codes.set(code, {
        nonce: value("nonce"),
        challenge: value("code_challenge"),
        redirectUri: value("redirect_uri"),
        claims: provider.person,
      });
      back.searchParams.set("code", code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  async function issue(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const form = new URLSearchParams(text);
    const basic = `Basic ${Buffer.from(`${provider.clientId}:${encodeURIComponent(provider.clientSecret)}`).toString("base64")}`;
    const isClient =
      request.headers.authorization === basic ||
      (form.get("client_id") === provider.clientId && form.get("client_secret") === provider.clientSecret);
    const pending = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!isClient || pending?.challenge !== challenge || pending.redirectUri !== form.get("redirect_uri"))
      return void send(response, { error: "invalid_grant" }, 400);
    const { sub, ...claims } = pending.claims;
    const nonce = provider.fault === "other nonce" ? "another" : pending.nonce;
    const idToken = await new SignJWT({ ...claims, nonce })
      .setProtectedHeader({ alg: "ES256", kid: "1" })
      .setIssuer(provider.issuer)
      .setSubject(sub)
      .setAudience(provider.fault === "other audience" ? "another" : provider.clientId)
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(provider.fault === "foreign key" ? foreign.privateKey : privateKey);
    send(response, { access_token: "an access token", token_type: "Bearer", expires_in: 300, id_token: idToken });
  }
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
