import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";
import type { QuestdbNode, Questdbs } from "../../store/questdb/questdbs.ts";
import { dayMs, isoTime } from "../../time/utcDay.ts";

type Tools = { readonly postgres: Pick<Pool, "query">; readonly questdb: Pick<Questdbs, "nodeOfEach"> };

/** Longer than two of the longest intervals of monitors. */
const lookBackMs = 3 * dayMs;
/** Certificates change rarely, and all checks of the last days are read. */
const readEveryMs = 5 * 60_000;
/** As long as an answer without them is fine. */
const giveUpAfterMs = 5_000;
const limitsDays = [7, 14, 30] as const;

/**
 * Gauges about the certificates of active monitors, without a series for each monitor. They are the same in every
 * worker. Read when metrics are asked for, at most every five minutes; absent while a store is unavailable.
 */
export function addCertificateMetrics(registry: Registry, tools: Tools): void {
  let readMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<readonly number[] | undefined> = Promise.resolve(undefined);
  const daysLeft = async (): Promise<readonly number[] | undefined> => {
    if (performance.now() - readMs > readEveryMs) {
      readMs = performance.now();
      reading = expiryTimes(tools).catch(() => {
        readMs = Number.NEGATIVE_INFINITY;
        return undefined;
      });
    }
    return (await reading)?.map((expiresMs) => (expiresMs - Date.now()) / dayMs);
  };
  new Gauge({
    name: "lookout_certificate_days_left_min",
    help: "Days until the first certificate of an active monitor expires, negative once it has; absent without a certificate",
    registers: [registry],
    async collect() {
      const days = await daysLeft();
      this.remove();
      if (days !== undefined && days.length > 0) this.set(days.reduce((least, each) => Math.min(least, each)));
    },
  });
  new Gauge({
    name: "lookout_certificates_expiring",
    help: "Active monitors whose certificate expires within so many days, or has expired",
    labelNames: ["within_days"],
    registers: [registry],
    async collect() {
      const days = await daysLeft();
      this.reset();
      if (days === undefined) return;
      for (const limit of limitsDays) this.set({ within_days: limit }, days.filter((each) => each < limit).length);
    },
  });
}

/** When the certificates of active monitors expire, Unix ms, as the last check with a certificate saw it. */
export async function expiryTimes({ postgres, questdb }: Tools): Promise<readonly number[]> {
  const { rows: active } = await postgres.query<{ id: string }>(
    "SELECT id FROM monitors WHERE status = 'active' AND deleted_at IS NULL",
  );
  const ids = new Set(active.map(({ id }) => id));
  const read = ({ reader }: QuestdbNode) =>
    reader.read(
      `SELECT monitor_id, ssl_expiry_ms FROM uptime_checks
       WHERE ts >= $1 AND ssl_expiry_ms IS NOT NULL LATEST ON ts PARTITION BY monitor_id`,
      [isoTime(Date.now() - lookBackMs)],
      { signal: AbortSignal.timeout(giveUpAfterMs) },
    );
  const rows = (await Promise.all((await questdb.nodeOfEach()).map(read))).flat();
  return rows.filter((row) => ids.has(String(row["monitor_id"]))).map((row) => Number(row["ssl_expiry_ms"]));
}
