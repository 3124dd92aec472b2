import { readFileSync } from "node:fs";
import { type Bot, type BotKind, ownNames } from "./ownBotNames.ts";

/** A bot that neither list has. */
const otherBot: Bot = { name: "other bot", operator: undefined, kind: "other_bot" };

/**
 * The bot that a User-Agent header belongs to. Names come from two lists only, never from the header, so that nothing
 * that a sender writes is kept. An unknown bot takes 0.2 ms to look up; `readUserAgent` keeps what it found.
 */
export function nameBot(userAgent: string): Bot {
  const own = ownNames.find(([pattern]) => pattern.test(userAgent));
  if (own !== undefined) return own[1];
  listed ??= readListed();
  return listed.find(({ pattern }) => pattern.test(userAgent))?.bot ?? otherBot;
}

type Listed = { readonly pattern: RegExp; readonly bot: Bot };

/** Read with the first bot that needs it, which takes some milliseconds. */
let listed: readonly Listed[] | undefined;

/** third_party/agents/names.tsv: a public list of 1,500 bots, whose first line says where it comes from and of which day it is. */
function readListed(): readonly Listed[] {
  const text = readFileSync(new URL("../../third_party/agents/names.tsv", import.meta.url), "utf8");
  return text.split("\n").flatMap((line) => {
    const [name, kind, pattern] = line.split("\t");
    if (name === undefined || pattern === undefined) return [];
    // The script that writes the list knows these kinds only.
    return { pattern: new RegExp(pattern), bot: { name, operator: undefined, kind: kind as BotKind } };
  });
}
