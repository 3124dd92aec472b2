import { type Env, settingNames } from "./config.ts";
import { removedSettings, replacedSettings } from "./removedSettings.ts";
import { misspeltNames } from "./text/misspeltNames.ts";

/** What has no effect in the environment though it looks like a setting, a sentence each. Each process logs them at its start. */
export function misspeltSettings(given: Env = process.env): readonly string[] {
  const former = Object.keys(given).filter((name) => given[name] && Object.hasOwn(removedSettings, name));
  const known = new Set([...settingNames(), ...Object.keys(removedSettings), ...Object.keys(replacedSettings)]);
  return [
    ...former.sort().map((name) => `${name} is no longer a setting and has no effect: ${removedSettings[name]}`),
    ...misspeltNames(given, known).map(
      ({ name, meant }) =>
        `${name} is no setting and has no effect${meant === undefined ? "" : `. Did you mean ${meant}?`}`,
    ),
  ];
}
