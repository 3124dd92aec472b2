import { join } from "node:path";
import { onTestFinished, vi } from "vitest";

/** Until the test ends this process finds no key for buckets on its machine; `home` is a directory without such files. */
export function withoutMachineKeys(home: string): void {
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) vi.stubEnv(name, undefined);
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(home, "credentials"));
  vi.stubEnv("AWS_CONFIG_FILE", join(home, "config"));
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  onTestFinished(() => void vi.unstubAllEnvs());
}
