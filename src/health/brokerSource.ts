import type { HealthSource } from "./source.ts";

/** Whether the brokers take rows, as far as this process has tried. */
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
