import { absolute, type BenchRun, type Measured } from "./bench.ts";

/** Rounds and the seed of their random choices, from the command line: `[rounds] [seed]`. A smoke run is one round. */
export function roundsOf({ isSmoke, args }: BenchRun, defaultRounds: number): { rounds: number; seed: number } {
  const [given = defaultRounds, givenSeed = Date.now() % 1_000_000] = args.map(Number);
  const rounds = isSmoke ? 1 : given;
  if (!(Number.isInteger(rounds) && rounds > 0))
    throw new Error(`rounds must be a whole number from 1, not ${args[0]}`);
  console.error(`seed ${givenSeed}`);
  return { rounds, seed: givenSeed };
}

/** The report of rounds, each with the problems that it has found, in words. */
export function measuredRounds(
  settings: Readonly<Record<string, unknown>> & { readonly rounds: number },
  results: readonly { readonly fault: string; readonly problems: readonly string[] }[],
): Measured {
  const passed = results.filter(({ problems }) => problems.length === 0).length;
  const problems = results.flatMap(({ fault, problems }, index) =>
    problems.map((text) => `round ${index + 1}, ${fault}: ${text}`),
  );
  if (results.length !== settings.rounds) problems.push(`${results.length} rounds were run of ${settings.rounds}`);
  const figures = { "rounds passed": absolute(passed, "", "higher", settings.rounds) };
  return { settings, figures, problems, details: { results } };
}
