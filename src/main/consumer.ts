/**
 * The consumer of the log for one replica: `npm run consumer -- --shard s1 --replica a`. It fills the replica's QuestDB from the
 * log of the brokers; each replica has one such process. With --snapshot-to or --rebuild-from it does that instead
 * (commands/replica.ts), and ends.
 */
import { type Config, readConfig, withBackupPlace } from "../config.ts";
import { exitCodes, explainFileError, reportFailure, StartFailure } from "../errors/startFailure.ts";
import type { ReplicaName } from "../store/questdb/questdbs.ts";
import { prepareDataDir } from "../store/write/dataDir.ts";
import { rebuild, snapshot } from "./commands/replica.ts";
import { readOptions } from "./readOptions.ts";
import { runConsumer } from "./runConsumer.ts";
import { orExit, runService } from "./runService.ts";

const usage =
  "Usage: npm run consumer -- --shard <name> --replica <name> [--snapshot-to <place> | --rebuild-from <place>] [--accept-loss]";

const { config, name, options } = orExit(readSettings);
const { "snapshot-to": snapshotTo, "rebuild-from": rebuildFrom, "accept-loss": acceptsLoss = false } = options;
if (snapshotTo !== undefined) await runCommand((signal) => snapshot(config, name, snapshotTo, signal));
else if (rebuildFrom !== undefined) await runCommand((signal) => rebuild(config, name, rebuildFrom, signal));
else
  await runService("consumer", { readSettings: () => config, logFields: name }, (service) =>
    runConsumer(service, { name, acceptsLoss }),
  );

/** Runs what ends by itself, and says on the terminal how it went. */
async function runCommand(run: (signal: AbortSignal) => Promise<void>): Promise<never> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  try {
    prepareDataDir(config.stack.dataDir);
    await run(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) {
      console.error("\nStopped before it was done. Run it again; nothing has to be cleaned up.");
      process.exitCode = exitCodes.failed;
    } else
      reportFailure(
        explainFileError(error, config.stack.dataDir),
        (code) =>
          `The command failed${code}: a store did not answer, or this is a defect. Check DATABASE_URL and SHARDS.`,
      );
  }
  process.exit();
}

function readSettings(): { config: Config; name: ReplicaName; options: Options } {
  const options = readArguments();
  const read = readConfig(withBackupPlace(process.env, options["snapshot-to"] ?? options["rebuild-from"]));
  const { name, http, pg } = replicaOf(read, options);
  return { config: { ...read, questdb: { ...read.questdb, http, pg } }, name, options };
}

/** The replica that the arguments name, with its addresses from SHARDS. */
function replicaOf(
  { kafka, questdb }: Config,
  { shard = "", replica = "" }: Options,
): { name: ReplicaName; http: string; pg: string } {
  if (kafka.brokers.length === 0)
    throw new StartFailure("npm run consumer fills a QuestDB from the log of brokers: set KAFKA_BROKERS and SHARDS.");
  const known = questdb.shards.flatMap((each) => each.replicas.map((one) => ({ ...one, shard: each.name })));
  const found = known.find((each) => each.shard === shard && each.name === replica);
  if (found === undefined) {
    const examples = known.map((each) => `--shard ${each.shard} --replica ${each.name}`).join(", ");
    throw new StartFailure(`npm run consumer needs the replica of SHARDS that it is to fill, one of: ${examples}`);
  }
  return { name: { shard, replica }, http: found.http, pg: found.pg };
}

type Options = ReturnType<typeof readArguments>;

function readArguments() {
  const text = { type: "string" } as const;
  const known = { shard: text, replica: text, "snapshot-to": text, "rebuild-from": text } as const;
  const values = readOptions({ ...known, "accept-loss": { type: "boolean" } }, usage);
  if (values["snapshot-to"] !== undefined && values["rebuild-from"] !== undefined)
    throw new StartFailure("Name either --snapshot-to or --rebuild-from.");
  return values;
}
