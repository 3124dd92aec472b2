import type { Log } from "./progress.ts";
import { type ServerSpec, type Supervised, supervise } from "./supervisor.ts";

/**
 * Runs servers that are one part of the stack: first the first one, and once it answers the others, which may rely on what it
 * prepares. Resolves when all of them answer. Rejects if one does not come up; then none of them runs.
 */
export async function superviseAll(specs: readonly ServerSpec[], log: Log, signal: AbortSignal): Promise<Supervised> {
  const failed = new AbortController();
  const all = AbortSignal.any([signal, failed.signal]);
  const begin = (spec: ServerSpec) =>
    supervise(spec, log, all).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
  const started: PromiseSettledResult<Supervised>[] = [];
  for (const together of [specs.slice(0, 1), specs.slice(1)])
    if (!failed.signal.aborted) started.push(...(await Promise.allSettled(together.map(begin))));
  const servers = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const forEach = async (act: (server: Supervised) => Promise<void>) => {
    await Promise.all(servers.map(act));
  };
  if (failed.signal.aborted) {
    await forEach((server) => server.stop());
    throw failed.signal.reason;
  }
  return {
    processIds: () => servers.flatMap((server) => server.processIds()),
    stop: () => forEach((server) => server.stop()),
    kill: () => forEach((server) => server.kill()),
    restart: () => forEach((server) => server.restart()),
  };
}
