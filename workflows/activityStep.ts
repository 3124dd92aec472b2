import { Context } from "@temporalio/activity";

/** Makes an activity of a step that takes a signal as well: it aborts when the activity is cancelled or its worker stops. */
export function step<Tools, Given extends unknown[], Result>(
  tools: () => Tools,
  run: (tools: Tools, ...given: [...Given, AbortSignal]) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  return async (...given) => await run(tools(), ...given, Context.current().cancellationSignal);
}
