/**
 * Which folder may import which, type-only imports included; `npm run check:imports` (dependency-cruiser) enforces it.
 * A rule that is in the way usually means that some code belongs into a lower folder, or that a function should take
 * what it needs as a parameter.
 */

/**
 * The parts of src/, from the lowest to the highest. A line imports from the lines above it. The parts of one line do
 * not import each other.
 */
const layers = [
  // Without any knowledge of the service.
  ["errors/", "concurrency/"],
  ["text/"],
  ["time/"],
  ["outbound/"],
  ["removedSettings.ts"],
  ["config.ts"],
  ["misspeltSettings.ts"],
  ["observability/", "mail/"],
  // Where data is kept.
  ["durableLog/"],
  ["store/"],
  ["health/"],
  ["secrets/", "visitors/"],
  // What handlers know about a call: who makes it, and what the caller may do.
  ["call/"],
  ["access/"],
  ["audit/", "idempotency/"],
  // The domains.
  ["retention/"],
  ["ingest/"],
  ["aggregation/"],
  ["uptime/"],
  ["websites/", "apiKeys/", "accounts/"],
  // Queries are about monitors. Analytics of links are queries.
  ["query/"],
  // Saved filters are those of queries.
  ["links/", "segments/", "sharing/"],
  ["lifecycle/"],
  ["privacy/"],
  ["backup/"],
  // Several QuestDBs and the log of brokers. An installation with one QuestDB runs none of it.
  ["scale/"],
  // What answers calls, and what puts a process together.
  ["gateway/"],
  ["mcp/"],
  ["main/"],
  ["demo/"],
];

/** The folders of one part in the same way. `*.ts` are the files that lie in the part itself. */
const layersWithin = {
  "store/": [["*.ts"], ["postgres/", "temporal/"], ["questdb/"], ["write/"]],
  "scale/": [["kafka/"], ["shards/"], ["consume/", "write/"], ["move/"], ["erasure/"], ["backup/"], ["*.ts"]],
  // A query goes down: its request, a plan, the shape of the answer, SQL. What is at the top answers calls.
  "query/": [
    ["sql/"],
    ["*.ts"],
    ["catalogue/"],
    ["filters/", "visits/"],
    ["goals/", "unknown/"],
    ["plan/"],
    ["shapes/"],
    ["daily/"],
    ["answer/"],
    ["hints/"],
    ["request/"],
    ["follow/", "custom/", "watch/", "rules/"],
  ],
  "uptime/": [
    ["*.ts", "check/"],
    ["monitor/"],
    ["maintenance/"],
    ["state/"],
    ["figures/", "notifications/"],
    ["run/"],
    ["manage/", "statusPages/"],
    ["incident/", "tryOut/"],
  ],
  "uptime/notifications/": [["message/"], ["channels/"], ["*.ts"]],
  "uptime/notifications/channels/": [["kinds/"], ["*.ts"]],
  "uptime/statusPages/": [["logo/", "texts/"], ["manage/"], ["read/"], ["render/"]],
  "lifecycle/": [["*.ts"], ["export/"], ["erasure/"], ["retention/"]],
  "lifecycle/erasure/": [["deletion/"], ["guard/"], ["stores/"], ["disk/"], ["steps/", "request/"]],
  "lifecycle/export/": [["*.ts"], ["format/", "storage/"], ["run/"], ["thread/", "request/"]],
  "lifecycle/retention/": [["*.ts"], ["request/"]],
};

/** What a path below `folder` begins with that belongs to one of the parts. */
function pattern(parts, folder = "") {
  const paths = parts.map((part) => part.replace("*", "[^/]+").replace(".ts", "\\.ts$"));
  return `^src/${folder}(?:${paths.join("|")})`;
}

function rulesOf(layersOfFolder, folder = "", always = []) {
  const all = layersOfFolder.flat();
  return [
    {
      name: `every-part-of-src/${folder}-has-a-layer`,
      comment: "Add the new folder to the layers in .dependency-cruiser.mjs.",
      severity: "error",
      from: { path: `^src/${folder}`, pathNot: pattern([...all, ...always], folder) },
      to: {},
    },
    ...layersOfFolder.flatMap((parts, index) =>
      parts.map((part) => ({
        name: `layers: src/${folder}${part}`,
        comment: "imports only from lower layers, see the lists in .dependency-cruiser.mjs",
        severity: "error",
        from: { path: pattern([part], folder) },
        to: {
          path: `^src/${folder}`,
          pathNot: pattern([...layersOfFolder.slice(0, index).flat(), part, ...always], folder),
        },
      })),
    ),
  ];
}

const layerRules = [
  ...rulesOf(layers, "", ["gen/"]),
  ...Object.entries(layersWithin).flatMap(([folder, parts]) => rulesOf(parts, folder)),
];

/** Files that a workflow loads when it runs: they decide and touch nothing, so that a replay decides the same. */
const loadedByWorkflows =
  "^src/(?:store/temporal/searchAttributes|time/utcDay|uptime/run/watchedMonitor|uptime/state/slots|uptime/state/state)\\.ts$";

/** Where workflows/ and src/ meet: activities call src, and the two processes start there. */
const doorsToSrc = "^workflows/(?:worker|probe|runProcess|connectTemporal|.*[aA]ctivities)\\.ts$";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "A file of a cycle cannot be understood, tested or moved alone.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...layerRules,
    {
      name: "src-stands-alone",
      comment: "The service runs without its tests, benchmarks, generators, local stack and workers.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(?:test|bench|codegen|stack|web|workflows|packages)/" },
    },
    {
      name: "clients-stand-alone",
      comment:
        "They are installed without the service. Only what builds them asks the generators for the types of rows.",
      severity: "error",
      from: { path: "^packages/", pathNot: "^packages/[^/]+/build\\.ts$" },
      to: { path: "^(?:src|workflows|test|bench|stack|web|codegen)/" },
    },
    {
      name: "packages-are-built-from-the-contract-and-the-generators",
      severity: "error",
      from: { path: "^packages/[^/]+/build\\.ts$" },
      to: { path: "^(?:src|workflows|test|bench|stack|web)/" },
    },
    {
      name: "generated-code-stands-alone",
      comment: "npm run generate must work whatever the handwritten code looks like.",
      severity: "error",
      from: { path: "^src/gen/" },
      to: { path: "^(?:src|test|bench|codegen|stack|web|workflows|packages)/", pathNot: "^src/gen/" },
    },
    {
      name: "stores-report-and-the-gateway-words",
      comment: "What a user reads about a store that fails is decided in src/call/storeFailureAnswer.ts.",
      severity: "error",
      from: { path: "^src/(?:store|durableLog)/" },
      to: { path: "^src/errors/(?:errors|problems)\\.ts$" },
    },
    {
      name: "traces-load-when-asked-for",
      comment: "Without an endpoint for traces a process loads nothing of OpenTelemetry.",
      severity: "error",
      from: { path: "^(?:src|workflows)/" },
      to: { path: "^src/observability/otlpTraces\\.ts$", dependencyTypesNot: ["dynamic-import"] },
    },
    {
      name: "workflows-load-pure-files",
      comment: "Workflow code is replayed: it may use types of src, and load only files that touch nothing.",
      severity: "error",
      from: { path: "^workflows/", pathNot: doorsToSrc },
      to: { path: "^src/", pathNot: loadedByWorkflows, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "workflows-need-no-gateway",
      comment: "Workers and probes answer no calls.",
      severity: "error",
      from: { path: "^workflows/" },
      to: { path: "^src/(?:call/|gateway/|access/|main/(?:api|server|handlers)\\.ts)" },
    },
    {
      name: "stack-knows-settings-only",
      comment: "The local stack starts the service as processes; it must not depend on what they do.",
      severity: "error",
      from: { path: "^stack/" },
      to: {
        path: "^(?:src|workflows|test|bench|codegen|web|packages)/",
        pathNot:
          "^src/(?:concurrency/|(?:config|misspeltSettings|errors/startFailure|store/questdb/(?:askQuestdb|execRequest|standstill)|store/write/dataDir|text/loopbackHost)\\.ts$)",
      },
    },
    {
      name: "generators-read-the-contract",
      comment:
        "Only the generated tables of the docs and the types of rows, which OpenAPI has as well, read handwritten code.",
      severity: "error",
      from: { path: "^codegen/", pathNot: "^codegen/(?:docs|client)/" },
      to: { path: "^(?:src|workflows|test|bench|stack|web|packages)/", pathNot: "^(?:src/gen|packages/contract)/" },
    },
    {
      name: "tracker-stands-alone",
      comment: "It runs in browsers, on pages of others.",
      severity: "error",
      from: { path: "^web/tracker/" },
      to: { path: "^(?:src|workflows|test|bench|stack|codegen)/" },
    },
    {
      name: "web-app-uses-the-public-api",
      comment: "It calls what every client can call, so it proves that this suffices.",
      severity: "error",
      from: { path: "^web/app/src/" },
      to: { path: "^(?!web/app/|packages/client-js/src/)", dependencyTypesNot: ["npm", "npm-dev"] },
    },
    {
      name: "web-app-pages-share-no-parts",
      comment: "What two pages need belongs into web/app/src/ui, or into a folder of its own.",
      severity: "error",
      from: { path: "^web/app/src/pages/([^/]+)/" },
      to: { path: "^web/app/src/pages/[^/]+/", pathNot: "^web/app/src/pages/$1/" },
    },
    {
      name: "tests-and-benches-share-the-kit",
      comment: "What two of them need belongs into test/kit.",
      severity: "error",
      from: { path: "^(test/(?!kit/)[^/]+|bench/[^/]+)/" },
      to: { path: "^(?:test|bench)/[^/]+/", pathNot: "^(?:test/kit|$1)/" },
    },
    {
      name: "kit-imports-no-test",
      severity: "error",
      from: { path: "^test/kit/" },
      to: { path: "^(?:test/(?!kit/)|bench/)" },
    },
  ],
  options: {
    // The typescript parser needs an API that TypeScript 7 does not have yet.
    parser: "swc",
    moduleSystems: ["es6"],
    exclude: { path: ["node_modules", "^web/tracker/dist/", "^web/app/dist"] },
  },
};
