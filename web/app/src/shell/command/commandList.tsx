import { useEffect, useRef } from "preact/hooks";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { LetterTile } from "../../ui/letterTile.tsx";
import { type Command, commandGroups } from "./command.ts";

type CommandListProps = {
  /** The options' ids begin with it. */
  readonly id: string;
  readonly commands: readonly Command[];
  /** The place of the option that Enter chooses. */
  readonly index: number;
  readonly onChoose: (command: Command) => void;
};

/** The options of the command menu by group. The focus stays in the field, so the current option is scrolled into view here. */
export function CommandList({ id, commands, index, onChoose }: CommandListProps) {
  const { commands: texts } = allTexts();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [index, commands]);
  const groups = commandGroups.filter((group) => commands.some((command) => command.group === group));
  return (
    <div ref={list} id={`${id}-list`} class="commands-list" role="listbox" aria-label={texts.title} tabIndex={-1}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be in a list of options.
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <p id={`${id}-${group}`} class="commands-group">
            {texts.groups[group]}
          </p>
          {commands.map((command, at) =>
            command.group !== group ? null : (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys.
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
              <div
                key={command.id}
                id={`${id}-${at}`}
                class="commands-option"
                role="option"
                aria-selected={at === index}
                data-command={command.id}
                onClick={() => onChoose(command)}
              >
                {command.tile !== undefined && <LetterTile name={command.tile} />}
                <span class="commands-text">{command.text}</span>
                {command.hint !== undefined && <span class="commands-hint">{command.hint}</span>}
              </div>
            ),
          )}
        </div>
      ))}
    </div>
  );
}
