import { useSignal } from "@preact/signals";
import type { Website } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { websites } from "../api/websites.ts";
import { goTo, place } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { leastToSearch, matchingWebsites } from "./matchingWebsites.ts";

/**
 * The choice of the website, in the header. It leads to the same page of the other website. The view of the overview is kept,
 * except for its filters, which belong to the previous website.
 */
export function WebsiteMenu() {
  const state = websites.value;
  if (state.kind === "loading")
    return (
      <div class="menu-anchor" aria-hidden="true">
        <span class="button menu-waiting" />
      </div>
    );
  if (state.kind !== "loaded" || state.websites.length === 0) return null;
  const current = state.websites.find(({ id }) => id === place.value.segments[1]);
  return (
    <Menu label={t().websites.switch} button={current?.name ?? t().websites.choose}>
      <Choices websites={state.websites} currentId={current?.id} />
    </Menu>
  );
}

type ChoicesProps = { readonly websites: readonly Website[]; readonly currentId: string | undefined };

/** With a search where the list is long. Enter chooses the first one that is found. */
function Choices({ websites: all, currentId }: ChoicesProps) {
  const { websites: texts } = t();
  const text = useSignal("");
  const found = matchingWebsites(all, text.value);
  const choose = ({ id }: Website): void => {
    const [page = "dashboard"] = place.value.segments;
    goTo([page, id], { query: page === "dashboard" ? keptQuery() : undefined });
  };
  return (
    <>
      {all.length >= leastToSearch && (
        <form
          class="menu-search"
          onSubmit={(event) => {
            event.preventDefault();
            const [first] = found;
            if (first === undefined) event.stopPropagation();
            else choose(first);
          }}
        >
          <input
            type="search"
            class="input"
            aria-label={texts.search}
            placeholder={texts.search}
            autoComplete="off"
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
            }}
          />
        </form>
      )}
      {found.map((website) => (
        <MenuItem key={website.id} isCurrent={website.id === currentId} onChoose={() => choose(website)}>
          <span>
            {website.name}
            {website.name !== website.domain && <span class="field-hint menu-hint">{website.domain}</span>}
          </span>
        </MenuItem>
      ))}
      {found.length === 0 && (
        <p class="nothing" role="status">
          {texts.noneFound}
        </p>
      )}
    </>
  );
}

function keptQuery(): URLSearchParams {
  const query = new URLSearchParams(place.value.query);
  query.delete("filter");
  return query;
}
