import type { Lines } from "./javascript.ts";
import * as runtime from "./runtime.ts";

/** A list with this many errors is not read further, so that a request cannot cause an endless answer. */
const maxFaults = 100;

/**
 * The runtime functions as JavaScript text; Node runs TypeScript by blanking its types, which leaves runs of spaces.
 */
export function runtimeText(): Lines {
  const functions = Object.values(runtime).map((one) =>
    String(one)
      .replace(/(\S) {2,}/g, "$1 ")
      .replace(/ +([),;])/g, "$1"),
  );
  return [
    `const maxFaults = ${maxFaults};`,
    "const uuid = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;",
    ...functions.flatMap((text) => ["", text]),
  ];
}
