import { type Config, type Env, readConfig as readSettings } from "../../../src/config.ts";
import { type Values, valuesVariable, withValues } from "./values.ts";

export * from "../../../src/config.ts";

/** Takes the place of that of src/config.ts, see preloadValues.ts. */
export function readConfig(env: Env = process.env): Config {
  const values: Values = JSON.parse(process.env[valuesVariable] ?? "{}");
  return withValues(readSettings(env), values);
}
