import type { DescMethod } from "@bufbuild/protobuf";
import { createRouterTransport, type Interceptor, type Transport } from "@connectrpc/connect";
import { LookoutError } from "../lookoutError.ts";
import { hideTypeNames } from "../plainAnswer.ts";
import { serviceDescriptors } from "../services.ts";
import { checkAnswer } from "./checkAnswer.ts";
import { checkNames } from "./checkNames.ts";
import { rowAnswer } from "./rowAnswers.ts";
import type { TestAnswers } from "./testAnswers.ts";
import { toConnectError } from "./toConnectError.ts";

/** A way to a service in memory that gives these answers. */
export function memoryTransport(answers: TestAnswers, interceptors: Interceptor[]): Transport {
  checkNames(answers);
  return createRouterTransport(
    (router) => {
      for (const [name, service] of Object.entries(serviceDescriptors)) {
        const calls = service.methods.map((method) => {
          const call = `${name}.${method.localName}`;
          const given = givenAnswer(answers, name, method.localName);
          if (given !== undefined && typeof given !== "function") checkGiven(call, method, given);
          const answer = async (request: unknown) => {
            hideTypeNames(method.input, request);
            return await answerOf(answers, call, method, given, request);
          };
          return [method.localName, method.methodKind === "server_streaming" ? streamed(answer) : thrown(answer)];
        });
        router.service(service, Object.fromEntries(calls));
      }
    },
    { transport: { interceptors } },
  );
}

function givenAnswer(answers: TestAnswers, service: string, call: string): unknown {
  const calls: unknown = Reflect.get(answers, service);
  return typeof calls === "object" && calls !== null ? Reflect.get(calls, call) : undefined;
}

/** Checks the answer of a call, or the list of answers of a stream. One that is no function is checked when the client is made, where it stands. */
function checkGiven(call: string, method: DescMethod, given: unknown): void {
  const messages = method.methodKind === "server_streaming" ? given : [given];
  if (!Array.isArray(messages)) throw new TypeError(`${call} streams: its answers are a list`);
  for (const message of messages) checkAnswer(call, method.output, message);
}

async function answerOf(answers: TestAnswers, call: string, method: DescMethod, given: unknown, request: unknown) {
  if (typeof given !== "function") return given ?? usualAnswer(answers, call, request);
  const answer: unknown = await given(request);
  checkGiven(call, method, answer);
  return answer;
}

/** What a call answers that the test says nothing about: queries their rows, events that they were taken, all else that it is missing. */
function usualAnswer(answers: TestAnswers, call: string, request: unknown): unknown {
  if (call === "queries.query") return { single: rowAnswer(answers.rows ?? {}, request) };
  if (call === "queries.watch") return [{ answer: rowAnswer(answers.rows ?? {}, request) }];
  if (call === "ingest.batch") {
    const { events } = request as { readonly events: readonly unknown[] };
    return { status: "success", results: events.map(() => ({ status: "success" })) };
  }
  const [service = "", name = ""] = call.split(".");
  throw new LookoutError(
    "NOT_IMPLEMENTED",
    `The test has no answer for ${call}: pass { ${service}: { ${name}: … } } to createTestLookout`,
  );
}

type Answer = (request: unknown) => Promise<unknown>;

function thrown(answer: Answer): Answer {
  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      throw toConnectError(error);
    }
  };
}

function streamed(answer: Answer) {
  return async function* (request: unknown) {
    yield* (await thrown(answer)(request)) as readonly unknown[];
  };
}
