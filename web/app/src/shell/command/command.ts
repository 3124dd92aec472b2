/** The kinds of commands, in the order in which they are shown. */
export const commandGroups = [
  "recent",
  "websites",
  "pages",
  "segments",
  "monitors",
  "links",
  "settings",
  "actions",
] as const;

export type CommandGroup = (typeof commandGroups)[number];

/** Something that the command menu offers. */
export type Command = {
  /** Names it among all commands, also at the next visit. */
  readonly id: string;
  readonly group: CommandGroup;
  readonly text: string;
  /** A second text, such as a domain or the website that it belongs to. It is searched too. */
  readonly hint?: string;
  /** The name whose tile is shown. */
  readonly tile?: string;
  readonly run: () => void;
};
