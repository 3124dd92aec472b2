import { hash } from "node:crypto";

/**
 * The key of an id within a website: the first 52 bits of a SHA-256, so the same in every process. 52 bits, because a
 * row's LONG is a JavaScript number: among a million ids of one website the chance of a collision is 1 in 10,000.
 */
export function keyOf(websiteId: string, id: string): number {
  return Number.parseInt(hash("sha256", `${websiteId}\0${id}`).slice(0, hexDigits), 16);
}

/** A key for an event without an id. */
export function randomKey(): number {
  return Math.floor(Math.random() * 2 ** (4 * hexDigits));
}

/**
 * 32 further bits of an event's id, signed, which distinguish two ids with the same key. The type is included: a link
 * and a page view with the same id are different events.
 */
export function claimCheckOf(websiteId: string, type: string, eventId: string): number {
  return Number.parseInt(hash("sha256", `${websiteId}\0${type}\0${eventId}`).slice(0, 8), 16) | 0;
}

const hexDigits = 13;
