/** Visitors who got to a step and all before it, and how long they took from the step before, in microseconds. */
export type StepCount = { visitors: number; readonly waitsUs: number[] };

/** An attempt to take all steps: when it took which. */
type Attempt = { readonly timesUs: readonly number[]; readonly value: string };

type StepEvent = { readonly mask: number; readonly value: string };

/** Of equal events of one instant no more than one for each step make a difference, and the last one. */
type EqualEvents = { readonly first: StepEvent[]; last: StepEvent | undefined };

/**
 * Counts how far visitors get in a row of steps. Takes events ordered by visitor and time and holds only what is known of the current
 * visitor, one attempt for each step.
 *
 * An attempt begins with an event that is the first step and takes each next step as early as it can, within the window from its
 * beginning. An event is one step of an attempt at most; events of one instant count in the order of their steps. A visitor counts once,
 * with the attempt that gets furthest: of several the one that was there first, and of those that get there at once the one that began
 * last.
 */
export class FunnelCounter {
  readonly #steps: number;
  readonly #windowUs: number;
  readonly #total: StepCount[] = [];
  readonly #byValue = new Map<string, StepCount[]>();
  #visitor = "";
  #timeUs = 0;
  /** Events of the current visitor at the current instant, by their mask. */
  #instant = new Map<number, EqualEvents>();
  /** For each step the attempt that began last among those that have taken it. */
  #attempts: (Attempt | undefined)[] = [];
  #best: Attempt | undefined;

  constructor(steps: number, windowMs: number) {
    this.#steps = steps;
    this.#windowUs = windowMs * 1_000;
  }

  /** Counts an event; bit n of `mask` says whether it is step n, `value` is what a first step is split by. */
  add(visitor: string, timeUs: number, mask: number, value: string): void {
    if (visitor !== this.#visitor) {
      this.#finishVisitor();
      this.#visitor = visitor;
    } else if (timeUs !== this.#timeUs) this.#finishInstant();
    this.#timeUs = timeUs;
    const equal: EqualEvents = this.#instant.get(mask) ?? { first: [], last: undefined };
    this.#instant.set(mask, equal);
    if (equal.first.length < this.#steps) equal.first.push({ mask, value });
    else equal.last = { mask, value };
  }

  /** What was counted, in total and for each value of the first step. A step that nobody took is missing. */
  finish(): { readonly total: readonly StepCount[]; readonly byValue: ReadonlyMap<string, readonly StepCount[]> } {
    this.#finishVisitor();
    return { total: this.#total, byValue: this.#byValue };
  }

  #finishVisitor(): void {
    this.#finishInstant();
    const best = this.#best;
    if (best !== undefined) {
      const ofValue = this.#byValue.get(best.value) ?? [];
      this.#byValue.set(best.value, ofValue);
      for (const counts of [this.#total, ofValue]) count(counts, best);
    }
    this.#attempts = [];
    this.#best = undefined;
  }

  #finishInstant(): void {
    const masks = [...this.#instant.keys()];
    if (masks.length > 1) masks.sort(byFirstStep);
    for (const mask of masks) {
      const { first = [], last } = this.#instant.get(mask) ?? {};
      for (const event of first) this.#take(event);
      if (last !== undefined) this.#take(last);
    }
    this.#instant.clear();
  }

  #take({ mask, value }: StepEvent): void {
    // From the last step to the first: no attempt takes two steps with one event.
    for (let step = this.#steps - 1; step >= 0; step -= 1) {
      if ((mask & (1 << step)) === 0) continue;
      const before = step === 0 ? { timesUs: [], value } : this.#attempts[step - 1];
      if (before === undefined) continue;
      const beganUs = before.timesUs[0] ?? this.#timeUs;
      if (this.#timeUs - beganUs > this.#windowUs) continue;
      const known = this.#attempts[step]?.timesUs[0];
      if (step > 0 && known !== undefined && known >= beganUs) continue;
      const attempt = { timesUs: [...before.timesUs, this.#timeUs], value: before.value };
      this.#attempts[step] = attempt;
      if (this.#best === undefined || this.#best.timesUs.length <= step) this.#best = attempt;
    }
  }
}

function count(counts: StepCount[], { timesUs }: Attempt): void {
  timesUs.forEach((timeUs, step) => {
    const counted = counts[step] ?? { visitors: 0, waitsUs: [] };
    counts[step] = counted;
    counted.visitors += 1;
    const beforeUs = timesUs[step - 1];
    if (beforeUs !== undefined) counted.waitsUs.push(timeUs - beforeUs);
  });
}

function byFirstStep(a: number, b: number): number {
  return (a & -a) - (b & -b) || a - b;
}
