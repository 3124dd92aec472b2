import type { HealthSource } from "./source.ts";

/** Reports when the brokers do not answer, as far as this process has tried. `whatThen` says what happens to rows meanwhile. */
export function brokerSource(isDown: () => boolean, whatThen: string): HealthSource {
  return {
    everyMs: 0,
    async read() {
      return isDown()
        ? [{ state: "brokers_unavailable", message: `the brokers of KAFKA_BROKERS do not answer: ${whatThen}` }]
        : [];
    },
  };
}
