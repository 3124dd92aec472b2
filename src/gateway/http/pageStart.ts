import { create, type DescMethod } from "@bufbuild/protobuf";
import { admit } from "../../access/authorize.ts";
import { limitCall, rateClassOf } from "../../access/rateLimit/limitCall.ts";
import { requirementOf } from "../../access/requirement.ts";
import { sessionCookieOf } from "../../access/sessionCookie.ts";
import { AnswerInParts } from "../../call/answerInParts.ts";
import { codecOf } from "../../call/codecOf.ts";
import { within } from "../../concurrency/within.ts";
import type { Violation } from "../../gen/lookout/codecs.js";
import { AuthService } from "../../gen/lookout/v1/auth_pb.ts";
import { QueryService } from "../../gen/lookout/v1/query_pb.ts";
import { WebsiteService } from "../../gen/lookout/v1/websites_pb.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import type { Procedure } from "../procedure.ts";
import type { FirstViews } from "./firstView.ts";
import { HttpCall, type HttpRequest, type HttpResponse } from "./httpCall.ts";
import type { Look } from "./look.ts";

/** What a page has in it, so that the web app need not ask. */
export type PageStart = {
  /**
   * A JSON object: `session` and `websites` are the answers of GetSession and ListWebsites without tracking status; `session` is null without a session cookie.
   * `question` and `answer` are the page's first question, as the app knows it, and its answer.
   */
  readonly json: string;
  /** Whether it is about a person, so for this request alone. */
  readonly isPersonal: boolean;
  /** The elements of the first view; undefined where the app draws it. */
  readonly drawn?: string | undefined;
  /** Such as the cookie of a session that was extended. */
  readonly headers: Readonly<Record<string, string>>;
};

/** A page without its start only asks for it once more, so a page waits no longer than a person would notice. */
const limitMs = 500;

/** A page without figures is drawn with their places. The app then asks for them, so they come later than without the wait. */
const figuresLimitMs = 800;

/** For people who are not signed in. */
export const signedOut: PageStart = { json: '{"session":null}', isPersonal: false, headers: {} };

/**
 * Makes the calls that each page of the web app begins with, in the name of the person whose cookie the request has. They are admitted and
 * counted like calls over the network.
 */
export class PageStarts {
  readonly #app: GatewayApp;
  readonly #procedures: ReadonlyMap<string, Procedure>;
  readonly #firstViews: FirstViews;

  constructor(app: GatewayApp, procedures: ReadonlyMap<string, Procedure>, firstViews: FirstViews) {
    this.#app = app;
    this.#procedures = procedures;
    this.#firstViews = firstViews;
  }

  /** Never rejects; undefined when the answers are not there in time, or one of them is an error. `address` is that of the page. */
  async read(
    request: HttpRequest,
    response: HttpResponse,
    address: string,
    look: Look | undefined,
  ): Promise<PageStart | undefined> {
    const call = new HttpCall(this.#app, request, response);
    if (sessionCookieOf(call) === undefined) return signedOut;
    const answers = await within(limitMs, this.#answers(call)).catch(() => undefined);
    if (answers === undefined) return undefined;
    const { session, websites } = answers;
    const known = `"session":${session},"websites":${websites}`;
    const start = { json: `{${known}}`, isPersonal: true, headers: call.responseHeaders ?? {} };
    if (look === undefined || call.isHead) return start;
    const hostname = call.host?.replace(/:\d+$/, "") ?? "";
    const visit = { ...look, session, websites, address, hostname, platform: call.header("user-agent") ?? "" };
    const view = await this.#firstViews
      .draw(visit, (question) => this.#figures(question, call))
      .catch((error: unknown) => {
        // The app draws it all the same.
        this.#app.log.error({ err: error }, "the first view could not be drawn");
        return undefined;
      });
    if (view === undefined) return start;
    const { html: drawn, first } = view;
    if (first === undefined) return { ...start, drawn };
    return {
      ...start,
      drawn,
      json: `{${known},"question":${JSON.stringify(first.question)},"answer":${first.answer}}`,
    };
  }

  async #answers(call: HttpCall<GatewayApp>): Promise<{ readonly session: string; readonly websites: string }> {
    const { getSession } = AuthService.method;
    const { listWebsites } = WebsiteService.method;
    const [session, websites] = await Promise.all([
      this.#answer(getSession, create(getSession.input), call),
      // Looking for events takes longer than all else; pages that show whether there are any ask for it.
      this.#answer(listWebsites, create(listWebsites.input, { withoutTrackingStatus: true }), call),
    ]);
    return { session, websites };
  }

  /** The answer to a query; undefined when it is not there in time, or an error: then the app asks again, and shows what is wrong. */
  async #figures(question: unknown, call: HttpCall<GatewayApp>): Promise<string | undefined> {
    const violations: Violation[] = [];
    const { query } = QueryService.method;
    const message = codecOf(query.input).parse(question, violations);
    if (message === undefined || violations.length > 0) return undefined;
    try {
      return await within(figuresLimitMs, this.#answer(query, message, call));
    } catch {
      call.stop();
      return undefined;
    }
  }

  /** The JSON of a unary call's answer. */
  async #answer(method: DescMethod, request: object, call: HttpCall<GatewayApp>): Promise<string> {
    const procedure = this.#procedures.get(`${method.parent.typeName}.${method.name}`);
    if (procedure?.kind !== "unary") throw new Error(`${method.name} has no handler`);
    const needed = requirementOf(method);
    await admit(needed, call, () => undefined);
    limitCall(rateClassOf(method), needed.open, call);
    const answer = await procedure.run(request, call);
    return codecOf(method.output).write(answer instanceof AnswerInParts ? await answer.whole() : answer);
  }
}
