import { setTimeout as pause } from "node:timers/promises";
import { Admin } from "@platformatic/kafka";
import { readConfig } from "../../../src/config.ts";
import { clientOptions, topicOf } from "../../../src/scale/kafka/kafkaClient.ts";
import type { ScaleStack } from "../../../stack/scale/scaleStack.ts";

/** Resolves when each partition of the log has all of its copies again: only then may the next broker lose its disk. */
export async function whenInSync(
  { env, replicas }: Pick<ScaleStack, "env" | "replicas">,
  timeoutMs = 120_000,
): Promise<void> {
  const { kafka } = readConfig(env);
  const topics = [...new Set(replicas.map(({ shard }) => topicOf(kafka, shard)))];
  const deadlineMs = performance.now() + timeoutMs;
  const admin = new Admin({ ...clientOptions(kafka, "test"), retries: 0 });
  try {
    for (;;) {
      const found = await admin.metadata({ topics, forceUpdate: true }).catch(() => undefined);
      const partitions = topics.flatMap((topic) => found?.topics.get(topic)?.partitions ?? []);
      const missing = partitions.filter(({ isr, replicas: copies }) => isr.length < copies.length);
      if (partitions.length > 0 && missing.length === 0) return;
      if (performance.now() > deadlineMs)
        throw new Error(`${missing.length} of ${partitions.length} partitions lack a copy after ${timeoutMs} ms`);
      await pause(250);
    }
  } finally {
    await admin.close().catch(() => undefined);
  }
}
