/** Preloaded into a process of a test. Imports of src/config.ts load configWithValues.ts instead, which has the values of the test. */
import { registerHooks } from "node:module";

const config = new URL("../../../src/config.ts", import.meta.url).href;
const withValues = new URL("./configWithValues.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === config && context.parentURL !== withValues ? { ...found, url: withValues } : found;
  },
});
