import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { hashPassword } from "../../../src/access/passwordHash.ts";
import type { Role } from "../../../src/call/caller.ts";
import { inDatabase } from "../stores/inDatabase.ts";
import { type JsonAnswer, send } from "./request.ts";

/** A person with a password. */
export type Person = {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
};

/** What a member is limited to. */
type Limits = { readonly websiteIds?: readonly string[]; readonly scopes?: readonly string[] };

/** All have the same one: to hash one takes a tenth of a second. */
const password = `correct horse ${randomUUID()}`;
let passwordHash: Promise<string> | undefined;

/** Creates a user for one test: a member of an organization, limited to websites if some are given, or of none. */
export async function createPerson(
  options: Limits & { organizationId?: string; role?: Role; email?: string; emailVerified?: boolean } = {},
): Promise<Person> {
  const userId = randomUUID();
  const email = options.email ?? `${userId}@example.com`;
  passwordHash ??= hashPassword(password);
  const hash = await passwordHash;
  await inDatabase(async (database) => {
    await database.query("INSERT INTO users (id, email, name, email_verified) VALUES ($1, $2, 'Ada', $3)", [
      userId,
      email,
      options.emailVerified ?? false,
    ]);
    await database.query(
      "INSERT INTO user_accounts (id, user_id, provider_id, account_id, password_hash) VALUES ($1, $2, 'credential', $2, $3)",
      [randomUUID(), userId, hash],
    );
  });
  if (options.organizationId !== undefined)
    await addMember(userId, options.organizationId, options.role ?? "owner", options);
  return { userId, email, password };
}

/** Makes a user a member; returns the member's id. */
export async function addMember(
  userId: string,
  organizationId: string,
  role: Role,
  { websiteIds, scopes }: Limits = {},
): Promise<string> {
  const id = randomUUID();
  await inDatabase((database) =>
    database.query(
      "INSERT INTO members (id, organization_id, user_id, role, website_ids, scopes) VALUES ($1, $2, $3, $4, $5, $6)",
      [id, organizationId, userId, role, websiteIds ?? null, scopes ?? null],
    ),
  );
  return id;
}

/** Creates an organization and returns its id. */
export async function createOrganization(name = "Test"): Promise<string> {
  const id = randomUUID();
  await inDatabase((database) => database.query("INSERT INTO organizations (id, name) VALUES ($1, $2)", [id, name]));
  return id;
}

/** A person's browser: keeps the session's cookie and calls as the service's own page. */
export type Browser = {
  /** POSTs, or GETs without a body. */
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<JsonAnswer>;
  /** The Cookie header; undefined while signed out. */
  cookie(): string | undefined;
};

export function openBrowser(baseUrl: string = inject("lookout").baseUrl): Browser {
  let cookie: string | undefined;
  return {
    cookie: () => cookie,
    call: async (path, body, headers = {}) => {
      const answer = await send(body === undefined ? "GET" : "POST", path, {
        baseUrl,
        ...(body === undefined ? {} : { body }),
        headers: { origin: new URL(baseUrl).origin, ...(cookie === undefined ? {} : { cookie }), ...headers },
      });
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        cookie = /Max-Age=0/i.test(line) ? undefined : pair;
      }
      return answer;
    },
  };
}

/** A browser with a signed-in user. */
export async function signedIn(person: Person, baseUrl?: string): Promise<Browser> {
  const browser = openBrowser(baseUrl);
  const { email, password } = person;
  const { status, body } = await browser.call("/auth/sign-in", { email, password });
  if (status !== 200) throw new Error(`signing in was answered ${status}: ${JSON.stringify(body)}`);
  return browser;
}
