import { afterAll, beforeAll, expect, test } from "vitest";
import { runFaultRounds } from "../../kit/faults/uptimeFaults.ts";
import { type Owner, ownerOf } from "../../kit/stack/owner.ts";
import { startUptimeStack, type UptimeStack } from "../../kit/stack/uptimeStack.ts";
import { startMonitors } from "../../kit/stores/startMonitors.ts";
import { type SwitchTarget, startSwitchTarget } from "./switchTarget.ts";

const intervalMs = 3_000;

let uptime: UptimeStack;
let owner: Owner;
let target: SwitchTarget;
beforeAll(async () => {
  target = await startSwitchTarget();
  uptime = await startUptimeStack();
  owner = await ownerOf(uptime.config);
}, 600_000);
afterAll(async () => {
  await uptime?.stop();
  await target?.close();
});

test("3: after kill -9 of everything at once no monitor is lost, no slot stored twice, and gaps are unknown", async () => {
  const given = Array.from({ length: 10 }, (_, index) => ({
    url: `${target.url}${index}`,
    intervalMs,
    timeoutMs: 1_000,
  }));
  const monitors = await startMonitors(uptime, owner, given);
  // How soon a schedule is back depends on the machine: `npm run bench:uptime-faults` measures that, and each part alone.
  const plan = { faults: ["all"], monitors, intervalMs, mayBeLate: true } as const;
  const [result] = await runFaultRounds(uptime, owner, plan, Math.random);
  expect(result?.problems).toEqual([]);
  // Some slots were missed, so unknown ones must be answered.
  expect(result?.gaps).toBeGreaterThan(0);
}, 600_000);
