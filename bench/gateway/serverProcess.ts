/** Messages of a server process to the benchmark: its port once, as API processes send it, and its CPU time on request. */
export type ServerReport = { readonly ready: { readonly port: number } } | CpuReport;
export type CpuReport = { readonly cpuMs: number };

/** Sends the parent process the port, and answers each of its messages with the CPU time used so far, user and system. */
export function reportTo(self: NodeJS.Process, port: number): void {
  const send = (report: ServerReport) => self.send?.(report);
  self.on("message", () => {
    const { user, system } = self.cpuUsage();
    send({ cpuMs: (user + system) / 1_000 });
  });
  self.on("disconnect", () => self.exit());
  send({ ready: { port } });
}
