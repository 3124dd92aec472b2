/** A bit for each step whose condition an event meets. */
export function maskOf(conditions: readonly string[]): string {
  return conditions.map((step, index) => `(CASE WHEN ${step} THEN ${2 ** index} ELSE 0 END)`).join(" + ");
}

/**
 * The statement for one row for each visitor: how many steps (`level`), when each (`t0` …), and the `value` of the first. `marked` are events
 * with their visitor_key, time `t`, key, value and mask. Every attempt of every visitor is listed and the best one chosen afterwards, whereas
 * the service reads events once.
 */
export function bestAttempts(marked: string, steps: number, windowMs: number): string {
  const last = steps - 1;
  const all = Array.from({ length: steps }, (_, index) => index);
  const attempts = all.slice(0, -1).map(
    (before) => `a${before + 1} AS (SELECT a.*, n.t AS t${before + 1}, n.o AS o${before + 1} FROM a${before} a
        LEFT JOIN LATERAL (SELECT t, o FROM e WHERE e.visitor_key = a.visitor_key AND e.o > a.o${before}
          AND e.t - a.t0 <= ${windowMs} AND e.mask & ${2 ** (before + 1)} != 0 ORDER BY o LIMIT 1) n ON true)`,
  );
  const level = all.map((index) => `CASE WHEN o${index} IS NULL THEN 0 ELSE 1 END`).join(" + ");
  const lastOrder = `coalesce(${all.map((index) => `o${last - index}`).join(", ")})`;
  return `WITH marked AS (${marked}),
    e AS (SELECT *, row_number() OVER (PARTITION BY visitor_key ORDER BY t, mask & -mask, mask, key) AS o FROM marked WHERE mask > 0),
    a0 AS (SELECT visitor_key, value, t AS t0, o AS o0 FROM e WHERE mask & 1 != 0),
    ${attempts.join(",\n")}
    SELECT * FROM (SELECT *, ${level} AS level FROM a${last})
    QUALIFY row_number() OVER (PARTITION BY visitor_key ORDER BY level DESC, ${lastOrder}, o0 DESC) = 1`;
}

export type StepCount = { visitors: number; median: number | null };

/** Visitors and median seconds since the step before, of each step, by the value of the first step; without a value, of all. */
export function stepCounts(
  rows: readonly Readonly<Record<string, unknown>>[],
  steps: number,
): Map<string | undefined, StepCount[]> {
  const groups = new Map<string | undefined, typeof rows>([[undefined, rows]]);
  for (const [value, group] of Map.groupBy(rows, (row) => String(row["value"]))) groups.set(value, group);
  return new Map([...groups].map(([value, group]) => [value, countsOf(group, steps)]));
}

function countsOf(rows: readonly Readonly<Record<string, unknown>>[], steps: number): StepCount[] {
  return Array.from({ length: steps }, (_, index) => {
    const reached = rows.filter((row) => Number(row["level"]) > index);
    const waits = reached.map((row) => Number(row[`t${index}`]) - Number(row[`t${index - 1}`])).sort((a, b) => a - b);
    const middle = index === 0 ? undefined : waits[Math.ceil(waits.length / 2) - 1];
    return { visitors: reached.length, median: middle === undefined ? null : Math.round(middle / 10) / 100 };
  });
}
