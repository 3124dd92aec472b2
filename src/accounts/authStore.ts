import { createHash } from "node:crypto";
import type { DBAdapter, DBTransactionAdapter, Where } from "better-auth/adapters";

/**
 * The stored form of a session token: its SHA-256 in hex. A token has 190 bits of randomness, so a slow hash would add
 * nothing.
 */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/**
 * A store for better-auth that keeps less than better-auth passes to it: sessions are stored under the hashes of their
 * tokens and without addresses, and the tokens of OpenID Connect providers are dropped, since nothing here uses them.
 * So the database or its backup holds nothing that allows a sign-in anywhere.
 */
export function withoutSecrets(store: DBAdapter): DBAdapter {
  return {
    ...operations(store),
    transaction: (work) => store.transaction((inner) => work(operations(inner))),
  };
}

function operations(store: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...store,
    create: async (request) => {
      if (request.model !== "session") return await store.create({ ...request, data: kept(request.data) });
      const { token } = request.data;
      const data = { ...kept(request.data), token: hashToken(String(token)) };
      return asAsked({ ...(await store.create<Record<string, unknown>, object>({ ...request, data })), token });
    },
    findOne: async (request) => withToken(await store.findOne<object>(hashed(request)), request),
    findMany: (request) => store.findMany(hashed(request)),
    count: (request) => store.count(hashed(request)),
    update: async (request) =>
      withToken(await store.update<object>({ ...hashed(request), update: kept(request.update) }), request),
    updateMany: (request) => store.updateMany({ ...hashed(request), update: kept(request.update) }),
    delete: (request) => store.delete(hashed(request)),
    deleteMany: (request) => store.deleteMany(hashed(request)),
    consumeOne: (request) => store.consumeOne(hashed(request)),
  };
}

const leftOut: ReadonlySet<string> = new Set([
  "ipAddress",
  "accessToken",
  "refreshToken",
  "idToken",
  "accessTokenExpiresAt",
  "refreshTokenExpiresAt",
  "scope",
]);

function kept<Row extends object>(row: Row): Row {
  return asAsked(Object.fromEntries(Object.entries(row).filter(([name]) => !leftOut.has(name))));
}

/** The same request with the token's hash instead of the token. */
function hashed<Request extends { model: string; where?: Where[] | undefined }>(request: Request): Request {
  if (request.model !== "session" || request.where === undefined) return request;
  return { ...request, where: request.where.map(hashedClause) };
}

function hashedClause(clause: Where): Where {
  if (clause.field !== "token") return clause;
  const { value } = clause;
  if (typeof value === "string") return { ...clause, value: hashToken(value) };
  return Array.isArray(value) ? { ...clause, value: value.map((token) => hashToken(String(token))) } : clause;
}

/** A session's row with the token of the request; without one with the hash, which is useless for a sign-in. */
function withToken<Row>(row: object | null, { model, where }: { model: string; where: readonly Where[] }): Row | null {
  if (row === null) return null;
  const asked = model === "session" ? where.find(({ field }) => field === "token")?.value : undefined;
  return asAsked(typeof asked === "string" ? { ...row, token: asked } : row);
}

/** better-auth declares the row's type at each call; the members are those given or read. */
function asAsked<Row>(row: object): Row {
  return row as Row;
}
