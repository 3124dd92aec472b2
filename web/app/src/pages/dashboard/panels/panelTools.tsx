import { useSignal } from "@preact/signals";
import type { LookoutQuery } from "../../../../../../packages/client-js/src/query.ts";
import { errorOf, type LookoutError } from "../../../api/client.ts";
import { t } from "../../../texts/texts.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { useModule } from "../../../ui/useModule.ts";
import { useDashboard } from "../context.ts";
import { listQuestion } from "./listQuestion.ts";
import type { PanelList } from "./panelTypes.ts";
import { fewRows } from "./rowCount.ts";
import { openSheet } from "./sheet/sheetAddress.ts";

/** What can be done with a list: all rows as a table or a file, and its call of the API. */
export function PanelTools({ list, name }: { readonly list: PanelList; readonly name: string }) {
  const { panels, copy } = t();
  const dashboard = useDashboard();
  const error = useSignal<LookoutError | undefined>(undefined);
  const copied = useSignal<LookoutQuery | undefined>(undefined);
  const call = useModule(() => import("../copy/callDialog.tsx"), copied.value !== undefined);
  const close = () => {
    error.value = undefined;
    copied.value = undefined;
  };
  return (
    <div class="panel-tools">
      <Menu label={panels.tools(name)} alignEnd isQuiet>
        <MenuItem onChoose={() => openSheet(list.type)}>{panels.allRows}</MenuItem>
        <MenuItem
          onChoose={() => {
            void import("./sheet/downloadCsv.ts")
              .then(({ downloadCsv }) => downloadCsv(list, dashboard))
              .catch((thrown: unknown) => {
                error.value = errorOf(thrown);
              });
          }}
        >
          {panels.csv}
        </MenuItem>
        <MenuItem
          onChoose={() => {
            copied.value = listQuestion(list, dashboard, fewRows);
          }}
        >
          {copy.title}
        </MenuItem>
      </Menu>
      {error.value !== undefined && (
        <Dialog title={panels.csv} onClose={close}>
          <ErrorNotice error={error.value} />
        </Dialog>
      )}
      {call !== undefined && copied.value !== undefined && <call.CallDialog question={copied.value} onClose={close} />}
    </div>
  );
}
