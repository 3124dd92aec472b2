import { createHash } from "node:crypto";
import type { DBAdapter, DBTransactionAdapter, Where } from "better-auth/adapters";

/** How the store knows a session: SHA-256 of its token in hex. A token has 190 bits of randomness, so a slow hash would add nothing. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/**
 * A store of better-auth in which sessions are known by the hashes of their tokens, and without the addresses that people came from. So
 * nobody can sign in with what the database or its backup holds. better-auth itself would keep tokens as they are.
 */
export function withHashedTokens(store: DBAdapter): DBAdapter {
  return {
    ...operations(store),
    transaction: (work) => store.transaction((inner) => work(operations(inner))),
  };
}

function operations(store: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...store,
    create: async (request) => {
      if (request.model !== "session") return await store.create(request);
      const { token, ipAddress: _, ...data } = request.data;
      const row = await store.create<Record<string, unknown>, object>({
        ...request,
        data: { ...data, token: hashToken(String(token)) },
      });
      // better-auth asks for the type of its row and gets the same members.
      return { ...row, token } as never;
    },
    findOne: async (request) => {
      if (request.model !== "session") return await store.findOne(request);
      return withToken(await store.findOne<object>(hashed(request)), request.where);
    },
    findMany: (request) => store.findMany(hashed(request)),
    count: (request) => store.count(hashed(request)),
    update: async (request) => {
      if (request.model !== "session") return await store.update(request);
      return withToken(await store.update<object>(hashed(request)), request.where);
    },
    updateMany: (request) => store.updateMany(hashed(request)),
    delete: (request) => store.delete(hashed(request)),
    deleteMany: (request) => store.deleteMany(hashed(request)),
    consumeOne: (request) => store.consumeOne(hashed(request)),
  };
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

/** A row with the token that it was asked for by; else with the hash, which opens nothing. */
function withToken<Row>(row: object | null, where: readonly Where[]): Row | null {
  if (row === null) return null;
  const asked = where.find(({ field }) => field === "token")?.value;
  // better-auth asks for the type of its row and gets the same members.
  return (typeof asked === "string" ? { ...row, token: asked } : row) as Row;
}
