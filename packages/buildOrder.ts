/** The packages in the order in which they need one another. */
export const packageNames = ["contract", "client-js", "tracker", "go", "java", "python"] as const;

export type PackageName = (typeof packageNames)[number];

/** Packages of code that is generated from the contract in dist/. */
const fromContract: readonly PackageName[] = ["go", "java", "python"];

/** What to build for the chosen packages, or for none, which means all: these and what they are made of. Throws for an unknown name. */
export function buildOrder(chosen: readonly string[]): readonly PackageName[] {
  for (const name of chosen)
    if (!packageNames.some((known) => known === name))
      throw new Error(`There is no package ${name}. There are: ${packageNames.join(", ")}`);
  if (chosen.length === 0) return packageNames;
  const needsContract = fromContract.some((name) => chosen.includes(name));
  return packageNames.filter((name) => chosen.includes(name) || (name === "contract" && needsContract));
}
