import { type Click, type ClickRow, clickRow } from "./click.ts";

/**
 * A click in a file of the journal: numbers only, of which JavaScript writes none in parts as fast as those below 2^31, so its keys of 52 bits come in
 * halves. Texts stand with the first click of the file that has them and are a number for those that follow.
 */
export type KeptClick = readonly [
  /** How long before its record was written, ms. */
  agoMs: number,
  eventKeyHigh: number,
  eventKeyLow: number,
  visitorKeyHigh: number,
  visitorKeyLow: number,
  link: number,
  target: number,
  agent: number,
  place: number,
  language: number,
  source: number,
  named?: Named[],
];

/** Texts, and the number that stands for them from here on. 0 stands for none. */
type Named = [number: number, ...texts: (string | null | undefined)[]];

/** Writes the clicks of one file. */
export class ClickEncoder {
  readonly #numbers = new Map<object | string, number>();
  #last = 0;
  #named: Named[] | undefined;

  /** `atMs` is that of its record. */
  encode(click: Click, atMs: number): KeptClick {
    if (this.#numbers.size + namesOfClick > mostNumbers) this.forget();
    const { eventKey, visitorKey, link, target, agent, place, language, source } = click;
    this.#named = undefined;
    const numbers = this.#numbers;
    const kept = [
      atMs - click.timeMs,
      highOf(eventKey),
      lowOf(eventKey),
      highOf(visitorKey),
      lowOf(visitorKey),
      numbers.get(link) ?? this.#name(link, [link.organizationId, link.id, link.websiteId]),
      numbers.get(target) ?? this.#name(target, [target.websiteId, target.path]),
      numbers.get(agent) ?? this.#name(agent, [agent.browser, agent.os, agent.device]),
      numbers.get(place) ?? this.#name(place, [place.country, place.region, place.city]),
      language === undefined ? 0 : (numbers.get(language) ?? this.#name(language, [language])),
      source === undefined ? 0 : (numbers.get(source) ?? this.#name(source, [source])),
    ] as const;
    return this.#named === undefined ? kept : [...kept, this.#named];
  }

  /** What was encoded last did not get into the file. */
  forget(): void {
    this.#numbers.clear();
  }

  #name(key: object | string, texts: (string | null | undefined)[]): number {
    const number = this.#last + 1;
    this.#last = number;
    this.#numbers.set(key, number);
    this.#named ??= [];
    this.#named.push([number, ...texts]);
    return number;
  }
}

/** Reads the clicks of one file, which are to be given in their order. */
export class ClickDecoder {
  readonly #texts = new Map<number, readonly (string | undefined)[]>();

  /** Undefined where the link was named in a part of the file that is damaged. */
  decode(kept: KeptClick, atMs: number): ClickRow | undefined {
    const [agoMs, eventKeyHigh, eventKeyLow, visitorKeyHigh, visitorKeyLow, link, target, agent, place] = kept;
    for (const [number, ...texts] of kept[11] ?? []) {
      // JSON has no undefined.
      this.#texts.set(
        number,
        texts.map((text) => text ?? undefined),
      );
      // The encoder has forgotten it for so long that also what is read once more does without.
      this.#texts.delete(number - 3 * mostNumbers);
    }
    const [organizationId, id, websiteId] = this.#textsOf(link);
    if (organizationId === undefined || id === undefined) return undefined;
    const [targetWebsiteId, path] = this.#textsOf(target);
    const [browser, os, device] = this.#textsOf(agent);
    const [country, region, city] = this.#textsOf(place);
    const [language] = this.#textsOf(kept[9]);
    const [source] = this.#textsOf(kept[10]);
    return clickRow({
      timeMs: atMs - agoMs,
      eventKey: keyOfHalves(eventKeyHigh, eventKeyLow),
      visitorKey: keyOfHalves(visitorKeyHigh, visitorKeyLow),
      link: { organizationId, id, websiteId: websiteId ?? null },
      target: { websiteId: targetWebsiteId, path },
      agent: { browser, os, device },
      place: { country, region, city },
      language,
      source,
    });
  }

  #textsOf(number: number): readonly (string | undefined)[] {
    return this.#texts.get(number) ?? [];
  }
}

/** About 4 MB while a file is open. */
const mostNumbers = 20_000;
const namesOfClick = 6;

export function keyOfHalves(high: number, low: number): number {
  return high * halfKey + low;
}

/** The upper 26 bits of a key of 52. */
function highOf(key: number): number {
  return (key / halfKey) | 0;
}

/** The lower 26 bits of a key of 52. */
function lowOf(key: number): number {
  return (key - highOf(key) * halfKey) | 0;
}

const halfKey = 2 ** 26;
