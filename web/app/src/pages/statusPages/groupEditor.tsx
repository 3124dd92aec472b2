import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import {
  addGroup,
  type Groups,
  hideMonitor,
  moveGroup,
  moveMonitor,
  placeOf,
  putMonitor,
  removeGroup,
  renameGroup,
  showMonitor,
} from "./groupOrder.ts";
import type { NamedMonitor } from "./namedMonitor.ts";

type GroupEditorProps = { readonly groups: Signal<Groups>; readonly monitors: readonly NamedMonitor[] };

/** The groups of a page and their monitors, in the order in which they are shown: moved by drag, by buttons, and by Alt with an arrow. */
export function GroupEditor({ groups, monitors }: GroupEditorProps) {
  const { statusPages: texts } = allTexts();
  const said = useSignal("");
  const dragged = useSignal<string | undefined>(undefined);
  const box = useRef<HTMLFieldSetElement>(null);
  const nameOf = (id: string): string => monitors.find((monitor) => monitor.id === id)?.name ?? id;
  const hidden = monitors.filter(({ id }) => placeOf(groups.value, id) === undefined);
  const nameOfGroup = (number: number): string => groups.value[number]?.name.trim() || texts.groupNumber(number + 1);
  /** Moving draws the row anew in another group, so the focus is set on the same button again. */
  const keepFocus = (mark: string): void => {
    requestAnimationFrame(() => {
      const row = box.current?.querySelector(`[data-row="${mark}"]`);
      const active = document.activeElement;
      if (row?.contains(active) === false) row.querySelector<HTMLElement>(".grip")?.focus();
    });
  };
  const say = (id: string): void => {
    const place = placeOf(groups.value, id);
    if (place !== undefined)
      said.value = texts.movedTo(
        nameOf(id),
        place.index + 1,
        groups.value[place.group]?.monitorIds.length ?? 0,
        nameOfGroup(place.group),
      );
  };
  const move = (id: string, by: -1 | 1): void => {
    groups.value = moveMonitor(groups.value, id, by);
    say(id);
    keepFocus(id);
  };
  const drop = (group: number, index: number): void => {
    const id = dragged.value;
    if (id === undefined) return;
    groups.value = putMonitor(groups.value, id, group, index);
    dragged.value = undefined;
    say(id);
  };
  return (
    <fieldset class="group-editor" ref={box}>
      <legend>{texts.monitors}</legend>
      <p class="field-hint">{groups.value.length === 0 ? texts.monitorsHint : texts.orderHint}</p>
      {groups.value.map(({ key, name, monitorIds }, group) => (
        <fieldset
          key={key}
          class="edited-group"
          aria-label={nameOfGroup(group)}
          data-group={key}
          onDragOver={(event) => dragged.value !== undefined && event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            drop(group, monitorIds.filter((id) => id !== dragged.value).length);
          }}
        >
          <div class="edited-row">
            <input
              class="input"
              maxLength={120}
              value={name}
              placeholder={texts.noGroupName}
              aria-label={texts.groupName(group + 1)}
              onInput={({ currentTarget }) => {
                groups.value = renameGroup(groups.value, key, currentTarget.value);
              }}
            />
            <MoveButtons
              name={nameOfGroup(group)}
              isFirst={group === 0}
              isLast={group === groups.value.length - 1}
              onMove={(by) => {
                groups.value = moveGroup(groups.value, key, by);
                said.value = texts.groupMovedTo(
                  name || texts.groupNumber(group + 1),
                  group + by + 1,
                  groups.value.length,
                );
              }}
            />
            <button
              type="button"
              class="button icon-button"
              aria-label={texts.removeGroup(nameOfGroup(group))}
              onClick={() => {
                groups.value = removeGroup(groups.value, key);
              }}
            >
              ×
            </button>
          </div>
          {monitorIds.map((id, index) => (
            <fieldset
              aria-label={nameOf(id)}
              key={id}
              class={dragged.value === id ? "edited-row is-dragged" : "edited-row"}
              data-row={id}
              draggable
              onDragStart={(event) => {
                dragged.value = id;
                event.dataTransfer?.setData("text/plain", nameOf(id));
              }}
              onDragEnd={() => {
                dragged.value = undefined;
              }}
              onDragOver={(event) => dragged.value !== undefined && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                event.stopPropagation();
                drop(group, index);
              }}
              onKeyDown={(event) => {
                const by = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key] : undefined;
                if (by === undefined) return;
                event.preventDefault();
                move(id, by);
              }}
            >
              <button
                type="button"
                class="grip"
                aria-label={texts.grip(nameOf(id))}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
              >
                ⠿
              </button>
              <span class="edited-name">{nameOf(id)}</span>
              <MoveButtons
                name={nameOf(id)}
                isFirst={group === 0 && index === 0}
                isLast={group === groups.value.length - 1 && index === monitorIds.length - 1}
                onMove={(by) => move(id, by)}
              />
              <button
                type="button"
                class="button icon-button"
                aria-label={texts.hideMonitor(nameOf(id))}
                onClick={() => {
                  groups.value = hideMonitor(groups.value, id);
                }}
              >
                ×
              </button>
            </fieldset>
          ))}
          {monitorIds.length === 0 && <p class="field-hint">{texts.emptyGroup}</p>}
        </fieldset>
      ))}
      <div class="entry-tools">
        <button
          type="button"
          class="button"
          onClick={() => {
            groups.value = addGroup(groups.value);
          }}
        >
          {texts.addGroup}
        </button>
        {hidden.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            class="button"
            onClick={() => {
              groups.value = showMonitor(groups.value, id);
              say(id);
            }}
          >
            {texts.showMonitor(name)}
          </button>
        ))}
      </div>
      <p class="said" role="status">
        {said.value}
      </p>
    </fieldset>
  );
}

type MoveButtonsProps = {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: -1 | 1) => void;
};

function MoveButtons({ name, isFirst, isLast, onMove }: MoveButtonsProps) {
  const { statusPages: texts } = allTexts();
  return (
    <>
      <button
        type="button"
        class="button icon-button"
        aria-label={texts.moveUp(name)}
        aria-disabled={isFirst}
        onClick={() => !isFirst && onMove(-1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="button icon-button"
        aria-label={texts.moveDown(name)}
        aria-disabled={isLast}
        onClick={() => !isLast && onMove(1)}
      >
        ↓
      </button>
    </>
  );
}
