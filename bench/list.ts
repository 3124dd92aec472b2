import type { Bench } from "../test/kit/bench/bench.ts";
import { bench as auth } from "./auth/run.ts";
import { bench as gateway } from "./gateway/run.ts";
import { bench as faults } from "./ingest/faults.ts";
import { bench as memory } from "./ingest/memory.ts";
import { bench as ingest } from "./ingest/run.ts";
import { bench as bytes } from "./ingest/storedBytes.ts";
import { bench as erasure } from "./lifecycle/erasure.ts";
import { bench as erasureFaults } from "./lifecycle/erasureFaults.ts";
import { bench as exporting } from "./lifecycle/export.ts";
import { bench as exportFaults } from "./lifecycle/exportFaults.ts";
import { bench as links } from "./links/run.ts";
import { bench as app } from "./query/app.ts";
import { bench as home } from "./query/home.ts";
import { bench as largest } from "./query/largest.ts";
import { bench as report } from "./query/privacyReport.ts";
import { bench as query } from "./query/run.ts";
import { bench as scale } from "./scale/run.ts";
import { bench as status } from "./status/run.ts";
import { bench as answers } from "./uptime/answers.ts";
import { bench as uptimeFaults } from "./uptime/faults.ts";
import { bench as uptime } from "./uptime/run.ts";
import { bench as temporal } from "./uptime/temporal.ts";

export type ListedBench = {
  readonly bench: Bench;
  readonly file: string;
  /** Why its smoke run is not among those of `npm run bench:smoke`, unless it is named. */
  readonly notInSmoke?: string;
  /** Whether one run says all in `npm run bench:all`: what counts is that it finds no problem. */
  readonly runsOnce?: true;
};

/** Benches with the common report and a smoke run, and the file of each. */
export const benches: readonly ListedBench[] = [
  { bench: gateway, file: "bench/gateway/run.ts" },
  { bench: auth, file: "bench/auth/run.ts" },
  { bench: status, file: "bench/status/run.ts" },
  { bench: links, file: "bench/links/run.ts" },
  { bench: answers, file: "bench/uptime/answers.ts" },
  { bench: ingest, file: "bench/ingest/run.ts" },
  { bench: memory, file: "bench/ingest/memory.ts" },
  { bench: bytes, file: "bench/ingest/storedBytes.ts" },
  { bench: erasure, file: "bench/lifecycle/erasure.ts" },
  { bench: exporting, file: "bench/lifecycle/export.ts" },
  { bench: uptime, file: "bench/uptime/run.ts" },
  { bench: app, file: "bench/query/app.ts" },
  {
    bench: home,
    file: "bench/query/home.ts",
    notInSmoke: "it needs a QuestDB with a longer time limit; run npm run bench:home -- --smoke",
  },
  {
    bench: report,
    file: "bench/query/privacyReport.ts",
    notInSmoke: "it needs a QuestDB with a longer time limit; run npm run bench:report -- --smoke",
  },
  {
    bench: temporal,
    file: "bench/uptime/temporal.ts",
    notInSmoke: "it takes a minute or more; run npm run bench:temporal -- --smoke",
  },
  {
    bench: largest,
    file: "bench/query/largest.ts",
    notInSmoke: "on a busy machine QuestDB has refused its structured query of 10,000 rows, without a message",
  },
  {
    bench: query,
    file: "bench/query/run.ts",
    notInSmoke: "it takes four minutes on a busy machine; run npm run bench:query -- --smoke",
  },
  {
    bench: scale,
    file: "bench/scale/run.ts",
    notInSmoke: "it takes a minute or more, and starts brokers; run npm run bench:scale -- --smoke",
  },
  {
    bench: faults,
    file: "bench/ingest/faults.ts",
    notInSmoke: "it takes half a minute, with stores of its own; run npm run bench:faults -- --smoke",
    runsOnce: true,
  },
  {
    bench: erasureFaults,
    file: "bench/lifecycle/erasureFaults.ts",
    notInSmoke: "it takes a minute; run npm run bench:erasure-faults -- --smoke",
    runsOnce: true,
  },
  {
    bench: exportFaults,
    file: "bench/lifecycle/exportFaults.ts",
    notInSmoke: "it takes a minute; run npm run bench:export-faults -- --smoke",
    runsOnce: true,
  },
  {
    bench: uptimeFaults,
    file: "bench/uptime/faults.ts",
    notInSmoke: "it takes two minutes; run npm run bench:uptime-faults -- --smoke",
    runsOnce: true,
  },
];
