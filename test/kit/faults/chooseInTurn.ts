/** As many faults as asked for, the same for a seed. None comes twice before all have come. */
export function chooseInTurn<T>(possible: readonly T[], count: number, random: () => number): T[] {
  const chosen: T[] = [];
  for (let left: T[] = []; chosen.length < count; ) {
    if (left.length === 0) left = [...possible];
    chosen.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return chosen;
}
