import { errorOf, type LookoutError } from "../../../api/client.ts";

/** So many calls at a time. */
const mostCalls = 4;

/** An object that could not be changed, and why. */
export type Unchanged<T> = { readonly object: T; readonly error: LookoutError };

/** Changes objects one by one, some at a time. One that fails leaves the others as they are; those that failed are returned. Never rejects. */
export async function changeEach<T>(
  objects: readonly T[],
  change: (object: T) => Promise<unknown>,
): Promise<Unchanged<T>[]> {
  const waiting = [...objects];
  const unchanged: Unchanged<T>[] = [];
  const work = async (): Promise<void> => {
    for (let object = waiting.shift(); object !== undefined; object = waiting.shift())
      try {
        await change(object);
      } catch (thrown) {
        unchanged.push({ object, error: errorOf(thrown) });
      }
  };
  await Promise.all(Array.from({ length: mostCalls }, work));
  return objects.flatMap((object) => unchanged.filter((failed) => failed.object === object));
}
