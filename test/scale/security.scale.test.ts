import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Env, readConfig } from "../../src/config.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { BrokerLog } from "../../src/scale/kafka/brokerLog.ts";
import { topicOf } from "../../src/scale/kafka/kafkaClient.ts";
import { prepareTopics } from "../../src/scale/kafka/logTopics.ts";
import { TopicReader } from "../../src/scale/kafka/topicReader.ts";
import { pageView } from "../kit/load/pageView.ts";
import { settledReplicas } from "../kit/scale/replicaRows.ts";
import { startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { type SecureBroker, startSecureBroker } from "../kit/scale/secureBroker.ts";
import { postJson } from "../kit/stack/owner.ts";

let broker: SecureBroker;
beforeAll(async () => {
  broker = await startSecureBroker();
}, 300_000);
afterAll(() => broker?.stop());

const silent = pino({ level: "silent" });
const settingsOf = (own: Env) =>
  readConfig({ SHARDS: "s1=http://127.0.0.1:1|postgres://127.0.0.1:1/qdb", ...broker.env, ...own }).kafka;

test.each(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])(
  "a row goes through a broker with TLS, a client certificate and %s",
  async (mechanism) => {
    const settings = settingsOf({
      KAFKA_SASL_MECHANISM: mechanism,
      KAFKA_TOPIC_PREFIX: mechanism.toLowerCase(),
      KAFKA_PARTITIONS: "1",
    });
    await prepareTopics(settings, ["s1"], silent, AbortSignal.timeout(60_000));
    const topic = topicOf(settings, "s1");
    const log = new BrokerLog(settings, "test", createMetrics(), silent);
    const reader = new TopicReader(settings, "test", topic);
    try {
      const payload = `events 1  \n${randomUUID()}`;
      await log.append(topic, [{ receivedMs: 1, websiteId: "site", key: 1, payload }]);
      const { first } = await reader.bounds();
      const { messages } = await reader.read(first, 5_000);
      const found = messages.flatMap(({ records }) => records);
      expect(found.map((record) => record.payload.toString())).toEqual([payload]);
    } finally {
      await Promise.all([log.close(), reader.close()]);
    }
  },
);

test.each([
  ["a wrong password", { KAFKA_SASL_PASSWORD: "wrong" }, /authentication/i],
  ["brokers of another authority", { KAFKA_TLS_CA: "" }, /self-signed certificate/],
  ["no certificate", { KAFKA_TLS_CERT: "", KAFKA_TLS_KEY: "" }, /certificate/],
  ["no TLS", { KAFKA_TLS: "off", KAFKA_TLS_CA: "", KAFKA_TLS_CERT: "", KAFKA_TLS_KEY: "" }, /Connection closed/],
])("with %s the log says why the brokers are not reached", async (_, own, reason) => {
  const stop = new AbortController();
  const said: string[] = [];
  const log = {
    warn: (fields: { reason: string }) => {
      said.push(fields.reason);
      stop.abort();
    },
  };
  await expect(prepareTopics(settingsOf(own), ["s1"], log as never, stop.signal)).rejects.toThrow();
  expect(said[0]).toMatch(reason);
  expect(said[0]).not.toContain("wrong");
});

test("with TLS and SASL an event goes through API, broker and consumer into QuestDB", async () => {
  const fixture = await startScaleFixture({}, { replicas: 1, apis: 1, brokers: broker.env });
  try {
    const { owner, stack } = fixture;
    const [api] = stack.apis;
    if (api === undefined) throw new Error("no API runs");
    const event = pageView({ timestamp: Date.now(), eventId: randomUUID(), loadTime: 12 });
    await postJson(owner, `/batch?website_id=${owner.websiteId}`, [event]);
    const [rows] = await settledReplicas(api.questdb, stack.replicas, owner.websiteId, 1);
    expect(rows).toMatchObject({ rows: 1, metrics: 1 });
  } finally {
    await fixture.remove();
  }
}, 300_000);
