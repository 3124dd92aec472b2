/** A goal as JSON in PostgreSQL. `revenue` names the properties of the event with the amount and the currency. */
export type StoredGoal = {
  readonly kind: string;
  readonly value: string;
  readonly revenue?: { readonly property: string; readonly currencyProperty?: string };
  /** Only of steps. */
  readonly property?: { readonly name: string; readonly value: string };
};

export type StoredFunnel = { readonly name: string; readonly steps: StoredGoal[] };

/**
 * What visitors should achieve, as JSON in PostgreSQL. `funnel` is the steps of the first funnel. Processes of the version before know only it, so
 * `funnels` may be missing.
 */
export type StoredGoals = {
  readonly goals: StoredGoal[];
  readonly funnel: StoredGoal[];
  readonly funnels?: StoredFunnel[];
};

/** The name of a funnel that was sent without one. */
export const unnamedFunnel = "Funnel";

export function funnelsOf({ funnel, funnels }: StoredGoals): StoredFunnel[] {
  if (funnels !== undefined) return funnels;
  return funnel.length === 0 ? [] : [{ name: unnamedFunnel, steps: funnel }];
}

/** Goals and funnels as they are stored. */
export function goalsWith(goals: StoredGoal[], funnels: StoredFunnel[]): StoredGoals {
  return { goals, funnel: funnels[0]?.steps ?? [], funnels };
}

/** What a change of goals sends; `funnels` is empty for clients that know one funnel only. */
export type SentGoals = {
  readonly goals: StoredGoal[];
  readonly funnel: StoredGoal[];
  readonly funnels: StoredFunnel[];
};

/** The goals after a change, by the rule that the contract states. */
export function changedGoals(before: StoredGoals, { goals, funnel, funnels }: SentGoals): StoredGoals {
  if (funnels.length > 0) return goalsWith(goals, funnels);
  const [first, ...others] = funnelsOf(before);
  if (funnel.length === 0) return goalsWith(goals, others.length === 0 ? [] : funnelsOf(before));
  const steps = funnel.map((step, index) => withProperty(step, first?.steps[index]));
  return goalsWith(goals, [{ name: first?.name ?? unnamedFunnel, steps }, ...others]);
}

/** Clients that know no properties of steps send the steps without them. */
function withProperty(sent: StoredGoal, before: StoredGoal | undefined): StoredGoal {
  const isSame = before?.kind === sent.kind && before.value === sent.value;
  return sent.property === undefined && isSame ? before : sent;
}
