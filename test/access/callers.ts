import type { DescMethod, DescMethodStreaming, DescMethodUnary } from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";
import { inject } from "vitest";
import { roleScopes } from "../../src/access/roleScopes.ts";
import { type Role, scopes } from "../../src/call/caller.ts";
import type { Requirement } from "../../src/gen/access/v1/access_pb.ts";
import { createOrganization, createPerson, type Person, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { sharedAccess } from "../kit/calls/sharedAccess.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";

/** What authorization decides about a call. `in`: it was accepted, whatever its answer. */
export type Decision = "in" | "AUTH_REQUIRED" | "INVALID_API_KEY" | "ACCESS_DENIED";

/** A kind of caller: its credentials as headers, and the expected decision. */
export type CallerKind = {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Which RPCs it does not call. */
  readonly isSkipped?: (method: DescMethod) => boolean;
  expected(needed: Requirement): Decision;
};

/** The decision about a key: a public call ignores it, unless the call also names a scope. */
function withKey(needed: Requirement, decision: Decision): Decision {
  return needed.open && needed.scope === "" ? "in" : decision;
}

/** Callers without credentials, with invalid ones, with keys of one scope or all but one, and users of each role. */
export async function callerKinds({ organizationId, websiteId, apiKey }: TestWebsite): Promise<CallerKind[]> {
  const key = (text: string) => ({ "x-api-key": text });
  const useless = [
    { name: "a mistyped key", headers: key("nonsense") },
    { name: "an unknown key", headers: key(`lk_${"A".repeat(32)}`) },
    { name: "an expired key", headers: key(await createKey({ organizationId, expired: true })) },
    {
      name: "a revoked key",
      headers: { authorization: `Bearer ${await createKey({ organizationId, revoked: true })}` },
    },
  ].map((kind) => ({ ...kind, expected: (needed: Requirement) => withKey(needed, "INVALID_API_KEY") }));
  const single = scopes.map(
    async (scope): Promise<CallerKind> => ({
      name: `a key with ${scope} only`,
      headers: key(await createKey({ organizationId, scopes: [scope] })),
      expected: (needed) => withKey(needed, !needed.session && needed.scope === scope ? "in" : "ACCESS_DENIED"),
    }),
  );
  const allButOne = scopes.map(
    async (scope): Promise<CallerKind> => ({
      name: `a key without ${scope}, limited to the website`,
      headers: key(
        await createKey({ organizationId, websiteIds: [websiteId], scopes: scopes.filter((other) => other !== scope) }),
      ),
      expected: (needed) =>
        withKey(
          needed,
          !needed.session && needed.scope !== scope && !needed.wholeOrganization ? "in" : "ACCESS_DENIED",
        ),
    }),
  );
  return [
    { name: "no credentials", headers: {}, expected: ({ open }) => (open ? "in" : "AUTH_REQUIRED") },
    ...useless,
    ...(await Promise.all([...single, ...allButOne])),
    await sharedReader(websiteId, apiKey),
    ...(await Promise.all(limitedPeople.map((one) => limitedPerson(one, organizationId, websiteId)))),
  ];
}

/** The reader of a shared dashboard, who may ask its query types and nothing else. */
async function sharedReader(websiteId: string, apiKey: string): Promise<CallerKind> {
  return {
    name: "the reader of a shared dashboard",
    headers: { "x-shared-dashboard": await sharedAccess({ websiteId, apiKey }, ["summary_metrics"]) },
    expected: ({ open, orSharedDashboard }) => (open || orSharedDashboard ? "in" : "AUTH_REQUIRED"),
  };
}

type LimitedPerson = { readonly role: Role; readonly scopes?: readonly string[] };

/** People limited to websites, some of them to rights as well. */
const limitedPeople: readonly LimitedPerson[] = [
  { role: "admin" },
  { role: "member" },
  { role: "viewer" },
  { role: "admin", scopes: ["admin", "read:data"] },
  { role: "member", scopes: ["update", "write:links", "write:uptime"] },
];

async function limitedPerson(
  { role, scopes: named }: LimitedPerson,
  organizationId: string,
  websiteId: string,
): Promise<CallerKind> {
  const person = await createPerson({
    organizationId,
    role,
    websiteIds: [websiteId],
    ...(named === undefined ? {} : { scopes: named }),
  });
  const held = new Set<string>(named ?? roleScopes[role]);
  return {
    name: `a person of the role ${role}, limited to the website${named === undefined ? "" : ` and to ${named.join()}`}`,
    headers: await sessionHeaders(person),
    // Another call of the person would be one without a session.
    isSkipped: ({ name }) => name === "SignOut",
    expected: ({ open, scope, wholeOrganization }) =>
      open || ((scope === "" || held.has(scope)) && !wholeOrganization) ? "in" : "ACCESS_DENIED",
  };
}

async function sessionHeaders(person: Person): Promise<Record<string, string>> {
  const { baseUrl } = inject("lookout");
  return { cookie: (await signedIn(person)).cookie() ?? "", origin: new URL(baseUrl).origin };
}

/** Users of each role call all RPCs in test/accounts; this one covers gRPC. */
export async function memberHeaders(organizationId: string, origin: string): Promise<Record<string, string>> {
  const browser = await signedIn(await createPerson({ organizationId, role: "member" }));
  return { cookie: browser.cookie() ?? "", origin };
}

/** The headers of an owner's key of another organization, and of a key and a person of the same one that reach another website only. */
export async function strangers(website: TestWebsite): Promise<Record<string, Record<string, string>>> {
  const other = await createWebsite();
  const sibling = (await send("POST", "/websites/create", {
    body: { name: "Sibling", domain: "sibling.example" },
    apiKey: website.apiKey,
  })) as { body: { id: string } };
  const { organizationId } = website;
  const websiteIds = [sibling.body.id];
  const key = async (options: Parameters<typeof createKey>[0]) => ({ "x-api-key": await createKey(options) });
  return {
    "another organization": { "x-api-key": other.apiKey },
    "another website": await key({ organizationId, websiteIds }),
    "an organization without websites": await key({ organizationId: await createOrganization() }),
    "a person of another website": await sessionHeaders(
      await createPerson({ organizationId, role: "admin", websiteIds }),
    ),
  };
}

const decisions: readonly string[] = ["AUTH_REQUIRED", "INVALID_API_KEY", "ACCESS_DENIED"] satisfies Decision[];

/** What authorization decided, by the code of the answer. A refusal about an object comes from the handler. */
export function decisionOf(code: unknown, message: string): Decision {
  const isDecision =
    decisions.includes(String(code)) &&
    (code !== "ACCESS_DENIED" ||
      /lacks the scope|Sign in|member of no|^(This API key is|You are) limited to websites/.test(message));
  return isDecision ? (code as Decision) : "in";
}

/** Calls an RPC with an empty request over gRPC and returns the code and text of its error. */
export async function callOverGrpc(
  transport: Transport,
  method: DescMethodUnary | DescMethodStreaming,
  headers: Record<string, string>,
  message: Record<string, unknown>,
): Promise<{ code: unknown; message: string }> {
  const limit = AbortSignal.timeout(20_000);
  try {
    if (method.methodKind === "unary") await transport.unary(method, limit, undefined, headers, message);
    else {
      const input = (async function* () {
        yield message;
      })();
      const stop = new AbortController();
      const { message: answers } = await transport.stream(
        method,
        AbortSignal.any([limit, stop.signal]),
        undefined,
        headers,
        input,
      );
      for await (const _ of answers) break;
      stop.abort();
    }
    return { code: undefined, message: "" };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    return { code: reasonOf(error), message: error.rawMessage };
  }
}

/** The reason of google.rpc.ErrorInfo, which is the code of specification part 7. */
function reasonOf(error: ConnectError): unknown {
  for (const detail of error.details)
    if ("type" in detail && detail.type === "google.rpc.ErrorInfo") return reasonIn(detail.value);
  return undefined;
}

/** Field 1 of the message, a text shorter than 128 bytes. */
function reasonIn(bytes: Uint8Array): string {
  const length = bytes[1] ?? 0;
  return Buffer.from(bytes.subarray(2, 2 + length)).toString();
}
