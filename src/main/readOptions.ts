import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { ConfigError } from "../config.ts";

/** The options of this process. Throws a ConfigError, which ends with `usage`, for arguments that are none of them. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(options: Options, usage: string) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : ""}\n${usage}`);
  }
}
