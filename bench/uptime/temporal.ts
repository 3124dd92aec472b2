/**
 * `npm run bench:temporal [-- --temporal dev,server/64,cluster/64 --monitors 200 --seconds 60]`: the checks of `npm run bench:uptime` with these
 * Temporals beside each other, since a machine is not equally fast for minutes: its setting TEMPORAL, and its history shards. JSON.
 */
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { uptimeBench } from "./uptimeBench.ts";

export const bench = uptimeBench({ name: "temporal", temporal: "dev,server/64,cluster/64", monitors: "200" });

if (import.meta.main) await runAsScript(bench);
