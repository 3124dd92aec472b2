import { createHash } from "node:crypto";
import type { DBAdapter, DBTransactionAdapter, Where } from "better-auth/adapters";

/** How the store knows a session: SHA-256 of its token in hex. A token has 190 bits of randomness, so a slow hash would add nothing. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/**
 * A store of better-auth that keeps less than better-auth gives it: sessions are known by the hashes of their tokens and have no address,
 * and the tokens of OpenID Connect providers are left out, since nothing here uses them. So nobody can sign in anywhere with what the
 * database or its backup holds.
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

/** The same request, for the hash of the token instead of the token. */
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

/** A session's row with the token that it was asked for by; else with the hash, which opens nothing. */
function withToken<Row>(row: object | null, { model, where }: { model: string; where: readonly Where[] }): Row | null {
  if (row === null) return null;
  const asked = model === "session" ? where.find(({ field }) => field === "token")?.value : undefined;
  return asAsked(typeof asked === "string" ? { ...row, token: asked } : row);
}

/** better-auth says at each call of which type the row is; its members are what was given or read. */
function asAsked<Row>(row: object): Row {
  return row as Row;
}
