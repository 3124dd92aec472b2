import { type Signal, useSignal } from "@preact/signals";
import type { LookoutQuery } from "../../../../../../packages/client-js/src/query.ts";
import { t } from "../../../texts/texts.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { useModule } from "../../../ui/useModule.ts";

type PartToolsProps = {
  /** The name of the part. */
  readonly name: string;
  readonly question: LookoutQuery;
  /** Whether a chart shows its table. */
  readonly showsTable?: Signal<boolean>;
};

/** What can be done with a part that is no list: its table, and its call of the API. */
export function PartTools({ name, question, showsTable }: PartToolsProps) {
  const { panels, copy, dashboard } = t();
  const isOpen = useSignal(false);
  // Few people open it, so it is not part of the first load.
  const dialog = useModule(() => import("./callDialog.tsx"), isOpen.value);
  return (
    <div class="panel-tools">
      <Menu label={panels.tools(name)} alignEnd isQuiet>
        {showsTable !== undefined && (
          <MenuItem
            isCurrent={showsTable.value}
            onChoose={() => {
              showsTable.value = !showsTable.value;
            }}
          >
            {dashboard.asTable}
          </MenuItem>
        )}
        <MenuItem
          onChoose={() => {
            isOpen.value = true;
          }}
        >
          {copy.title}
        </MenuItem>
      </Menu>
      {dialog !== undefined && isOpen.value && (
        <dialog.CallDialog
          question={question}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </div>
  );
}
