import { create, type DescMethod, type MessageInitShape } from "@bufbuild/protobuf";
import { admit } from "../../access/authorize.ts";
import { limitCall, rateClassOf } from "../../access/rateLimit/limitCall.ts";
import { requirementOf } from "../../access/requirement.ts";
import { sessionCookieOf } from "../../access/sessionCookie.ts";
import { AnswerInParts } from "../../call/answerInParts.ts";
import { codecOf } from "../../call/codecOf.ts";
import { AuthService } from "../../gen/lookout/v1/auth_pb.ts";
import { WebsiteService } from "../../gen/lookout/v1/websites_pb.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import type { Procedure } from "../procedure.ts";
import { HttpCall, type HttpRequest, type HttpResponse } from "./httpCall.ts";

/** What a page has in it, so that the web app need not ask. */
export type PageStart = {
  /** A JSON object: `session` and `websites` are the answers of GetSession and ListWebsites without tracking status; `session` is null without a session cookie. */
  readonly json: string;
  /** Whether it is about a person, so for this request alone. */
  readonly isPersonal: boolean;
  /** Such as the cookie of a session that was extended. */
  readonly headers: Readonly<Record<string, string>>;
};

/** A page without its start only asks for it once more, so a page waits no longer than a person would notice. */
const limitMs = 500;

/** For people who are not signed in. */
export const signedOut: PageStart = { json: '{"session":null}', isPersonal: false, headers: {} };

/**
 * Makes the calls that each page of the web app begins with, in the name of the person whose cookie the request has. They are admitted and
 * counted like calls over the network.
 */
export class PageStarts {
  readonly #app: GatewayApp;
  readonly #procedures: ReadonlyMap<string, Procedure>;

  constructor(app: GatewayApp, procedures: ReadonlyMap<string, Procedure>) {
    this.#app = app;
    this.#procedures = procedures;
  }

  /** Never rejects; undefined when the answers are not there in time, or one of them is an error. */
  async read(request: HttpRequest, response: HttpResponse): Promise<PageStart | undefined> {
    const call = new HttpCall(this.#app, request, response);
    if (sessionCookieOf(call) === undefined) return signedOut;
    const { promise: limit, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), limitMs);
    const answers = this.#answers(call).catch(() => undefined);
    try {
      return await Promise.race([answers, limit]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #answers(call: HttpCall<GatewayApp>): Promise<PageStart> {
    const [session, websites] = await Promise.all([
      this.#answer(AuthService.method.getSession, {}, call),
      // Looking for events takes longer than all else; pages that show whether there are any ask for it.
      this.#answer(WebsiteService.method.listWebsites, { withoutTrackingStatus: true }, call),
    ]);
    const json = `{"session":${session},"websites":${websites}}`;
    return { json, isPersonal: true, headers: call.responseHeaders ?? {} };
  }

  /** The JSON of a unary call. */
  async #answer<M extends DescMethod>(
    method: M,
    request: MessageInitShape<M["input"]>,
    call: HttpCall<GatewayApp>,
  ): Promise<string> {
    const procedure = this.#procedures.get(`${method.parent.typeName}.${method.name}`);
    if (procedure?.kind !== "unary") throw new Error(`${method.name} has no handler`);
    const needed = requirementOf(method);
    await admit(needed, call, () => undefined);
    limitCall(rateClassOf(method), needed.open, call);
    const answer = await procedure.run(create(method.input, request), call);
    return codecOf(method.output).write(answer instanceof AnswerInParts ? await answer.whole() : answer);
  }
}
