import type { Config } from "../../../src/config.ts";

/** Members of the configuration that are no settings, such as a time that is too long for a test to wait. */
export type Values = { readonly [Group in keyof Config]?: Partial<Config[Group]> };

/** The configuration with a test's own values. */
export function withValues(config: Config, values: Values): Config {
  const changed = Object.entries(values).map(([group, members]) => {
    return [group, { ...config[group as keyof Config], ...members }] as const;
  });
  return { ...config, ...Object.fromEntries(changed) };
}

/** The flags of Node and the environment with which a process that reads its own configuration has these values too. */
export function valuesForProcess(values: Values): { nodeFlags: readonly string[]; env: Record<string, string> } {
  if (Object.keys(values).length === 0) return { nodeFlags: [], env: {} };
  const preload = new URL("./preloadValues.ts", import.meta.url).href;
  return { nodeFlags: [`--import=${preload}`], env: { [valuesVariable]: JSON.stringify(values) } };
}

export const valuesVariable = "TEST_VALUES";
