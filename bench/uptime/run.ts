/**
 * `npm run bench:uptime [-- --monitors 500,1000 --seconds 60]`: monitors that are due every 10 s check a server on this machine, of whose
 * targets 5 % hang until the timeout. How many of the checks that were due were done, how late, and for what CPU and memory, as JSON.
 * Beside it, in the same run, the same checks by timers in one Node process that stores nothing.
 */
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { uptimeBench } from "./uptimeBench.ts";

export const bench = uptimeBench({ name: "uptime", temporal: "dev", monitors: "500,1000" });

if (import.meta.main) await runAsScript(bench);
