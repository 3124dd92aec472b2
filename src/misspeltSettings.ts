import { type Env, settingNames } from "./config.ts";
import { misspeltNames } from "./text/misspeltNames.ts";

/** What is probably not meant in the environment, a sentence each. Each process logs them at its start. */
export function misspeltSettings(given: Env = process.env): readonly string[] {
  return misspeltNames(given, settingNames()).map(
    ({ name, meant }) =>
      `${name} is no setting and has no effect${meant === undefined ? "" : `. Did you mean ${meant}?`}`,
  );
}
