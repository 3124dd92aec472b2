import type { DescMethod } from "@bufbuild/protobuf";
import { alwaysSet } from "./alwaysSet.ts";
import { withCallersNames } from "./callersNames.ts";
import { readCallOptions } from "./callOptions.ts";
import type { CallChecks } from "./createService.ts";
import { LookoutError } from "./lookoutError.ts";
import { hideTypeNames } from "./plainAnswer.ts";
import type { ReadingRules } from "./readMessage.ts";
import { readRequest } from "./readRequest.ts";
import { systemErrors } from "./systemErrors.ts";
import { toLookoutError } from "./toLookoutError.ts";

/**
 * The checks of a client in programs of others, whose requests, answers and connections may be anything. `baseUrl` is for messages. `sent` makes
 * what is sent of a request that was read.
 */
export function callChecks(
  baseUrl: string,
  rules: Pick<ReadingRules, "allowed" | "unnamed">,
  sent: CallChecks["request"] = (_, read) => read,
): CallChecks {
  return {
    request: (method, request) => sent(method, readRequest(method, request, rules)),
    options: readCallOptions,
    answer: (method, answer) => {
      requireMember(method, answer, baseUrl);
      hideTypeNames(method.output, answer);
    },
    error: (method, thrown) =>
      withCallersNames(toLookoutError(thrown, baseUrl, systemErrors), method.input, rules.unnamed),
  };
}

/** Throws BAD_ANSWER for an answer without the thing that it is about. */
function requireMember({ output }: DescMethod, answer: unknown, baseUrl: string): void {
  const name = alwaysSet[output.name];
  if (name === undefined || Reflect.get(answer as object, name) !== undefined) return;
  throw new LookoutError("BAD_ANSWER", `The answer of ${baseUrl} lacks ${name}, which Lookout always sends`, {
    isLasting: true,
  });
}
