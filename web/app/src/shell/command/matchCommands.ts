import { type Command, commandGroups } from "./command.ts";

/** As many of a group are shown at most. */
const mostOfGroup = 8;

/**
 * The commands that a text finds, best first, in the order of their groups. Each word of it has to be in the text or the hint of a
 * command, or the letters of all of it in their order in the text.
 */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const wanted = plain(text).trim();
  const words = wanted.split(/\s+/);
  const ranked = commands
    .map((command) => ({ command, rank: rankOf(command, words, wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
  return commandGroups.flatMap((group) =>
    ranked
      .filter(({ command }) => command.group === group)
      .slice(0, mostOfGroup)
      .map(({ command }) => command),
  );
}

/**
 * What is shown before a text is typed: the commands that were chosen last, then the others but for long lists. A recent command is
 * not shown twice.
 */
export function firstCommands(commands: readonly Command[], recentIds: readonly string[]): Command[] {
  const recent = recentIds
    .map((id) => commands.find((command) => command.id === id))
    .filter((command) => command !== undefined)
    .map((command): Command => ({ ...command, group: "recent" }));
  const others = commands.filter(({ id, group }) => !recentIds.includes(id) && !searchedOnly.has(group));
  return [
    ...recent,
    ...commandGroups.flatMap((group) => others.filter((command) => command.group === group).slice(0, mostOfGroup)),
  ];
}

/** Groups that are found by typing only. */
const searchedOnly: ReadonlySet<string> = new Set(["monitors", "links", "settings"]);

/** The lower the better; undefined if it is not found. */
function rankOf({ text, hint = "" }: Command, words: readonly string[], wanted: string): number | undefined {
  const name = plain(text);
  if (name.startsWith(wanted)) return 0;
  const all = `${name} ${plain(hint)}`;
  if (words.every((word) => beginsWord(name, word))) return 1;
  if (words.every((word) => beginsWord(all, word))) return 2;
  if (words.every((word) => all.includes(word))) return 3;
  return hasLetters(name, wanted.replaceAll(" ", "")) ? 4 : undefined;
}

function beginsWord(text: string, word: string): boolean {
  return ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, " ")}`.includes(` ${word}`);
}

/** Whether a text has these letters in their order, with others between them. */
function hasLetters(text: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

/** Lower case, without accents. */
function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
