import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { StartFailure } from "../../errors/startFailure.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { nearest } from "../../text/nearest.ts";

export type Organization = { readonly id: string; readonly name: string };

/** A move that is under way. */
export type RunningMove = { readonly id: string; readonly workflowId: string; readonly toShard: string };

/** Finds an organization by its id, or by its name if that is unique. Rejects with StartFailure when there is none. */
export async function findOrganization(postgres: Pick<Pool, "query">, given: string): Promise<Organization> {
  const { rows } = await postgres.query<Organization>(
    "SELECT id, name FROM organizations WHERE id = $1 OR lower(name) = lower($1) ORDER BY id = $1 DESC, id LIMIT 20",
    [given],
  );
  const [found, second] = rows;
  if (found !== undefined && (second === undefined || found.id === given)) return found;
  if (found !== undefined)
    throw new StartFailure(
      `Several organizations are called "${found.name}". Name one by its id:\n${rows.map(({ id }) => `  ${id}`).join("\n")}`,
    );
  const { rows: all } = await postgres.query<Organization>(
    "SELECT id, name FROM organizations ORDER BY name LIMIT 1000",
  );
  const meant = nearest(
    given,
    all.map(({ name }) => name),
  );
  const hint = meant === undefined ? listOf(all.map(({ name }) => name)) : `Did you mean "${meant}"?`;
  throw new StartFailure(`There is no organization "${given}". ${hint}`);
}

/** The move of an organization that is under way. */
export async function runningMove(
  postgres: Pick<Pool, "query"> | Pick<PoolClient, "query">,
  organizationId: string,
): Promise<RunningMove | undefined> {
  const { rows } = await postgres.query<RunningMove>(
    `SELECT id, workflow_id AS "workflowId", to_shard AS "toShard" FROM organization_moves
     WHERE organization_id = $1 AND completed_at IS NULL`,
    [organizationId],
  );
  return rows[0];
}

/**
 * Records that an organization is to move to another shard. Resolves to the move there that is already under way, if there is
 * one. Rejects with StartFailure when it cannot move.
 */
export async function requestMove(
  postgres: Pick<Pool, "connect">,
  { id: organizationId, name }: Organization,
  toShard: string,
): Promise<RunningMove> {
  return await inTransaction(postgres, async (client) => {
    await client.query("SELECT FROM organizations WHERE id = $1 FOR UPDATE", [organizationId]);
    await refuseUnknownShard(client, toShard);
    const running = await runningMove(client, organizationId);
    if (running?.toShard === toShard) return running;
    if (running !== undefined)
      throw new StartFailure(
        `"${name}" is moving to ${running.toShard}. Wait for its end, or give it up with npm run move -- --organization ${organizationId} --cancel.`,
      );
    const { rows } = await client.query<{ shard: string }>("SELECT shard FROM placements WHERE organization_id = $1", [
      organizationId,
    ]);
    const shard = rows[0]?.shard;
    if (shard === undefined) throw new StartFailure(`"${name}" has no rows yet, so there is nothing to move.`);
    if (shard === toShard) throw new StartFailure(`"${name}" is on ${toShard} already. Nothing was changed.`);
    await refuseWithoutConsumers(client, [shard, toShard]);
    const id = randomUUID();
    const workflowId = workflowIdOf(name, id);
    await client.query(
      "INSERT INTO organization_moves (id, workflow_id, organization_id, from_shard, to_shard) VALUES ($1, $2, $3, $4, $5)",
      [id, workflowId, organizationId, shard, toShard],
    );
    return { id, workflowId, toShard };
  });
}

async function refuseUnknownShard(client: Pick<PoolClient, "query">, toShard: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM shards ORDER BY name");
  const names = rows.map(({ name }) => name);
  if (names.includes(toShard)) return;
  if (names.length === 0) throw new StartFailure("This installation has one QuestDB and no shards: see SHARDS.");
  const meant = nearest(toShard, names);
  throw new StartFailure(
    `There is no shard "${toShard}". ${meant === undefined || names.length < 3 ? listOf(names) : `Did you mean ${meant}? ${listOf(names)}`}`,
  );
}

/** Rows are taken over from log to log, and consumers store them. */
async function refuseWithoutConsumers(client: Pick<PoolClient, "query">, shards: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (
       SELECT FROM store_replicas WHERE shard = name AND reported_at > clock_timestamp() - interval '1 minute')`,
    [shards],
  );
  const [silent] = rows;
  if (silent !== undefined)
    throw new StartFailure(
      `No consumer of the shard ${silent.name} runs. Moving needs a log of brokers (KAFKA_BROKERS) and npm run consumer for each replica of both shards.`,
    );
}

/** Such as `organization-move/acme/3f2a9c1e-52b1`. */
function workflowIdOf(name: string, id: string): string {
  const shown = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 100);
  return `organization-move/${shown || "organization"}/${id.slice(0, 13)}`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 20);
  return `There are: ${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}
