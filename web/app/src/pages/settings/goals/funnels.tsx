import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { may } from "../../../api/session.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { FunnelFigures } from "./funnelFigures.tsx";
import { FunnelForm } from "./funnelForm.tsx";
import { moved, type OwnFunnel } from "./ownGoals.ts";
import type { KnownNames } from "./useKnownNames.ts";

const mostFunnels = 20;

type FunnelsProps = {
  readonly websiteId: string;
  readonly timezone: string;
  readonly funnels: readonly OwnFunnel[];
  readonly known: KnownNames;
  readonly onSave: (funnels: readonly OwnFunnel[]) => Promise<void>;
};

/** The funnels of the website, each with its figures. One is changed at a time. */
export function Funnels({ websiteId, timezone, funnels, known, onSave }: FunnelsProps) {
  const { ownGoals: texts, links } = allTexts();
  const edited = useSignal<number | undefined>(undefined);
  const close = (): void => {
    edited.value = undefined;
  };
  const list = useRef<HTMLDivElement>(null);
  /** What gets the focus once the changed funnels are on screen: the control that had it may be gone. */
  const next = useRef<string | undefined>(undefined);
  useEffect(() => {
    const target = next.current === undefined ? null : list.current?.querySelector<HTMLElement>(next.current);
    next.current = undefined;
    target?.focus();
  }, [funnels]);
  const move = async (index: number, by: -1 | 1): Promise<void> => {
    const name = CSS.escape(funnels[index]?.name ?? "");
    const isEnd = funnels[index + 2 * by] === undefined;
    next.current = `[data-funnel="${name}"] [data-move="${isEnd ? -by : by}"] button`;
    await onSave(moved(funnels, index, by));
  };
  const remove = async (funnel: OwnFunnel): Promise<void> => {
    const others = funnels.filter((one) => one !== funnel);
    const beside = others[Math.min(funnels.indexOf(funnel), others.length - 1)];
    next.current = beside === undefined ? "[data-add-funnel]" : `[data-funnel="${CSS.escape(beside.name)}"] h3`;
    await onSave(others);
  };
  const form = (index: number) => (
    <FunnelForm
      key={index}
      funnel={funnels[index]}
      known={known}
      onClose={close}
      onSave={async (funnel) => {
        await onSave(
          index < funnels.length ? funnels.map((one, at) => (at === index ? funnel : one)) : [...funnels, funnel],
        );
        close();
      }}
    />
  );
  return (
    <div class="stack" ref={list}>
      {funnels.length === 0 && edited.value === undefined && <p class="nothing">{texts.noFunnels}</p>}
      {funnels.map((funnel, index) => (
        <section class="funnel" key={funnel.name} aria-label={funnel.name} data-funnel={funnel.name}>
          <div class="section-head">
            <h3 tabIndex={-1}>{funnel.name}</h3>
            {may("update") && edited.value === undefined && (
              <div class="page-tools">
                {([-1, 1] as const).map(
                  (by) =>
                    funnels[index + by] !== undefined && (
                      <span key={by} class="funnel-move" data-move={by}>
                        <ActionButton about={funnel.name} onAct={() => move(index, by)}>
                          {by === -1 ? texts.moveUp : texts.moveDown}
                        </ActionButton>
                      </span>
                    ),
                )}
                <button
                  type="button"
                  class="button"
                  onClick={() => {
                    edited.value = index;
                  }}
                >
                  {links.edit}
                  <span class="said"> {funnel.name}</span>
                </button>
                <ConfirmButton
                  class="button button-bad"
                  label={links.delete}
                  about={funnel.name}
                  title={links.deleteTitle(funnel.name)}
                  text={texts.deleteText}
                  onConfirm={() => remove(funnel)}
                />
              </div>
            )}
          </div>
          {edited.value === index ? (
            form(index)
          ) : (
            <FunnelFigures websiteId={websiteId} timezone={timezone} funnel={funnel} />
          )}
        </section>
      ))}
      {edited.value === funnels.length && form(funnels.length)}
      {may("update") && edited.value === undefined && funnels.length < mostFunnels && (
        <div>
          <button
            type="button"
            class="button"
            data-add-funnel
            onClick={() => {
              edited.value = funnels.length;
            }}
          >
            {texts.addFunnel}
          </button>
        </div>
      )}
    </div>
  );
}
