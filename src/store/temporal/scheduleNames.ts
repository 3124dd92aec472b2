/** The Schedules of the service and how often each runs, ms; workflows/schedules.ts defines them. */
export const scheduleEveryMs = {
  "daily-aggregation": 86_400_000,
  correction: 60_000,
  "salt-rotation": 86_400_000,
  "monitor-reconciliation": 60_000,
  "export-reconciliation": 60_000,
  retention: 86_400_000,
  "retention-reconciliation": 300_000,
  "deletion-reconciliation": 60_000,
  backup: 300_000,
  "backup-check": 300_000,
  purge: 86_400_000,
} as const satisfies Record<string, number>;

export type ScheduleName = keyof typeof scheduleEveryMs;
