/** A duration in seconds for people: `45s`, `2m 5s`, `1h 0m`. */
export function durationText(durationSeconds: number): string {
  const seconds = Math.round(durationSeconds);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `${Math.floor(seconds / 3_600)}h ${Math.floor((seconds % 3_600) / 60)}m`;
}
