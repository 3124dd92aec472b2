import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { Time } from "../../../ui/time.tsx";
import { panelsOf } from "./sharedPanels.ts";
import type { Shared } from "./shareForm.tsx";

type ShareRowProps = {
  readonly share: Shared;
  readonly onEdit: () => void;
  readonly onRevoke: () => Promise<void>;
};

/** A shared dashboard: what it shows, until when, and to whom. */
export function ShareRow({ share, onEdit, onRevoke }: ShareRowProps) {
  const texts = allTexts();
  const { sharing } = texts;
  const { name, types, filters, origins, expiresAt, hasPassword, createdAt } = share;
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) < Date.now();
  return (
    <li class="row" data-share={name}>
      <div class="row-main">
        <span class="row-name">
          {name} {hasPassword && <span class="mark">{sharing.protected}</span>}{" "}
          {isExpired && <span class="mark mark-bad">{sharing.expired}</span>}
        </span>
        <span class="row-facts">
          <span>{[sharing.figures, ...panelsOf(types).map((panel) => panel.name(texts))].join(", ")}</span>
        </span>
        <span class="row-facts">
          <span>
            {sharing.since} <Time at={createdAt} />
          </span>
          <span>{expiresAt === undefined ? sharing.forever : [sharing.until, " ", <Time at={expiresAt} />]}</span>
          {filters.length > 0 && <span>{sharing.filterCount(filters.length)}</span>}
          {origins.map((origin) => (
            <span key={origin}>{origin}</span>
          ))}
        </span>
      </div>
      <div class="row-tools">
        <button type="button" class="button" onClick={onEdit}>
          {sharing.edit}
          <span class="said"> {name}</span>
        </button>
        <ConfirmButton
          label={sharing.revoke}
          about={name}
          title={sharing.revokeTitle(name)}
          text={sharing.revokeText}
          class="button button-bad"
          onConfirm={onRevoke}
        />
      </div>
    </li>
  );
}
