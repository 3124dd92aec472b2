/** Figures from the API process's `/metrics`. */
export type ApiMetrics = { readonly cpuSeconds: number; readonly memoryMb: number; readonly logRows: number };

/** Reads `/metrics` of the API at `base`. */
export async function readApiMetrics(base: string): Promise<ApiMetrics> {
  const text = await (await fetch(`${base}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  return {
    cpuSeconds: figure("process_cpu_seconds_total"),
    memoryMb: Math.round(figure("process_resident_memory_bytes") / 1e6),
    logRows: figure("lookout_log_rows"),
  };
}
