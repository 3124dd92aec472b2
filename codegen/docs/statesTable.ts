import { decideStatus, type HealthStatus, withoutPostgresMs } from "../../src/health/decideStatus.ts";
import { type ProcessKind, type StateName, stateNames, states, statesOf } from "../../src/health/states.ts";
import { quoted, table } from "./markdown.ts";

/** The states that /readyz reports, and what each process answers in each of them. */
export function statesTable(): string {
  const rows = stateNames.map((name) => {
    const { meaning, section, severity } = states[name];
    const answers = (["api", "worker", "probe", "consumer"] as const).map((kind) => answerText(kind, name));
    return [`[${quoted(name)}](troubles.md#${section})`, meaning, severity, ...answers];
  });
  return table(["state", "what is the case", "alert", "API", "worker", "probe", "consumer"], rows);
}

function answerText(kind: ProcessKind, state: StateName): string {
  if (!statesOf(kind).includes(state)) return "";
  const [first, later] = [0, withoutPostgresMs].map((forMs) => httpStatus[decideStatus(kind, [{ state, forMs }])]);
  return first === later ? `${first}` : `${first}, after ${withoutPostgresMs / 60_000} minutes ${later}`;
}

const httpStatus: Readonly<Record<HealthStatus, number>> = { ok: 200, degraded: 200, unavailable: 503 };
