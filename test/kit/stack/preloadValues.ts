/** Gives a process that a test starts the values of the test: whoever imports src/config.ts gets configWithValues.ts instead. */
import { registerHooks } from "node:module";

const config = new URL("../../../src/config.ts", import.meta.url).href;
const withValues = new URL("./configWithValues.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === config && context.parentURL !== withValues ? { ...found, url: withValues } : found;
  },
});
