import { dailyVisitorId } from "../../../src/visitors/dailySalt.ts";
import { randomNumbers } from "../random/randomEventRows.ts";

/** The values of the tracker's `data-visitor`. */
export type Recognition = "hash" | "daily" | "persistent" | "none";

/** How people of a kind reach a website. Shares are between 0 and 1. */
export type People = {
  readonly name: string;
  readonly count: number;
  /** People who share an address (a household, an office, a mobile network's gateway). */
  readonly perAddress: number;
  /** The share of visits for which a device has another address than before. */
  readonly changesAddress: number;
  /** Different user agents among their devices; the k-th is used 1/k as often as the first. */
  readonly agents: number;
};

/** Visitors counted, as a share of the people who were there: 1 is right. */
export type Counted = { readonly perDay: number; readonly overDays: number };

const days = 7;
/** The share of days on which a person comes. */
const comes = 0.4;
const visitsPerDay = 2;
/** Tabs or pages of a visit. */
const pageLoads = 3;
/** The share of people who also come with a second device. */
const hasSecondDevice = 0.2;
/** The share of devices whose storage is emptied between two days, by the person or the browser. */
const clearsStorage = 0.1;

/**
 * Counts simulated people by each way of recognition, with the service's own function for the hash. The same seed gives
 * the same answer. A hash errs when people share an address and a browser (too few) and when an address changes (too
 * many); ids in the storage err with second devices and emptied storage.
 */
export function countPeople(people: People, seed: number): Record<Recognition, Counted> {
  const below = randomNumbers(seed);
  const happens = (share: number) => below(1_000_000) < share * 1_000_000;
  const salts = Array.from({ length: days }, (_, day) => Buffer.alloc(32, day + 1));
  const weights = Array.from({ length: people.agents }, (_, index) => 1 / (index + 1));
  const upTo = weights.map((_, index) => weights.slice(0, index + 1).reduce((sum, weight) => sum + weight, 0));
  const total = upTo.at(-1) ?? 0;
  const anAgent = () => {
    const drawn = (below(1_000_000) / 1_000_000) * total;
    return `agent ${upTo.findIndex((sum) => drawn <= sum)}`;
  };
  const groups = Math.ceil(people.count / people.perAddress);
  const devices = Array.from({ length: people.count }, (_, person) =>
    Array.from({ length: happens(hasSecondDevice) ? 2 : 1 }, (_, device) => ({
      agent: anAgent(),
      address: Math.floor(person / people.perAddress),
      storage: `${person} ${device}`,
    })),
  );
  const seen = { hash: new Set(), daily: new Set(), persistent: new Set(), none: new Set() };
  const truly = { days: 0, people: new Set<number>() };
  const perDay = { hash: 0, daily: 0, persistent: 0, none: 0 };
  let fresh = 0;
  for (let day = 0; day < days; day++) {
    const today = { hash: new Set(), daily: new Set(), persistent: new Set(), none: new Set() };
    devices.forEach((own, person) => {
      for (const device of own) if (happens(clearsStorage)) device.storage = `cleared ${++fresh}`;
      if (!happens(comes)) return;
      truly.days += 1;
      truly.people.add(person);
      for (let visit = 0; visit < visitsPerDay; visit++) {
        const device = own[below(own.length)];
        if (device === undefined) continue;
        if (happens(people.changesAddress)) device.address = below(groups);
        const hash = dailyVisitorId(salts[day] as Buffer, "website", `${device.address}`, device.agent);
        today.hash.add(`${day} ${hash}`);
        today.daily.add(`${day} ${device.storage}`);
        today.persistent.add(device.storage);
        for (let load = 0; load < pageLoads; load++) today.none.add(++fresh);
      }
    });
    for (const way of recognitions) {
      perDay[way] += today[way].size;
      for (const id of today[way]) seen[way].add(id);
    }
  }
  const counted = (way: Recognition): Counted => ({
    perDay: perDay[way] / truly.days,
    overDays: seen[way].size / truly.people.size,
  });
  return { hash: counted("hash"), daily: counted("daily"), persistent: counted("persistent"), none: counted("none") };
}

export const recognitions = ["hash", "daily", "persistent", "none"] as const satisfies readonly Recognition[];

/** The people of the table in docs/user/events.md. */
export const kindsOfPeople: readonly People[] = [
  { name: "at home, three to an address", count: 3_000, perAddress: 3, changesAddress: 0.02, agents: 40 },
  {
    name: "on phones, 50 to an address that often changes",
    count: 3_000,
    perAddress: 50,
    changesAddress: 0.3,
    agents: 40,
  },
  {
    name: "in an office of 300 with one address and few browsers",
    count: 300,
    perAddress: 300,
    changesAddress: 0,
    agents: 8,
  },
  {
    name: "at a school of 1,000 with equal devices and one address",
    count: 1_000,
    perAddress: 1_000,
    changesAddress: 0,
    agents: 1,
  },
];

/** A row of the table for each kind of people, in percent of those who were there: a day, then seven days. */
export function recognitionTable(): string[] {
  return kindsOfPeople.map((people) => {
    const counted = countPeople(people, 20_261_128);
    const cells = recognitions.map((way) => {
      const { perDay, overDays } = counted[way];
      return `${Math.round(perDay * 100)} / ${Math.round(overDays * 100)}`;
    });
    return `| ${[people.name, ...cells].join(" | ")} |`;
  });
}
