import { websites } from "../../api/websites.ts";
import { goTo, place } from "../../router/router.ts";
import { t } from "../../texts/texts.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";

/** The choice of the website, in the header. The rest of the view stays as it is, but its filters are of the other one. */
export function WebsiteMenu() {
  const state = websites.value;
  if (state.kind !== "loaded" || state.websites.length === 0) return null;
  const current = state.websites.find(({ id }) => id === place.value.segments[1]);
  return (
    <Menu label={t().websites.switch} button={current?.name ?? t().websites.choose}>
      {state.websites.map(({ id, name, domain }) => (
        <MenuItem key={id} isCurrent={id === current?.id} onChoose={() => goTo(["dashboard", id], { query: kept() })}>
          <span>
            {name}
            {name !== domain && <span class="field-hint menu-hint">{domain}</span>}
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}

function kept(): URLSearchParams {
  const query = new URLSearchParams(place.value.query);
  query.delete("filter");
  return query;
}
