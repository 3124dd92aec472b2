import { useSignal } from "@preact/signals";
import type { StatusPage } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { CopyButton } from "../../ui/copyButton.tsx";
import type { NamedMonitor } from "./namedMonitor.ts";
import { badgeHtml, badgeMarkdown, badgePath, embedHtml, embedPath, type SnippetChoice } from "./snippets.ts";

type SnippetBoxProps = { readonly page: StatusPage; readonly monitors: readonly NamedMonitor[] };

/** What to copy to show the state on other pages, as it looks there. */
export function SnippetBox({ page, monitors }: SnippetBoxProps) {
  const { statusPages: texts } = allTexts();
  const { slug, url, title, groups } = page;
  const monitorId = useSignal("");
  const label = useSignal("");
  const theme = useSignal<"light" | "dark">("light");
  const shown = monitors.filter(
    ({ id }) => groups.length === 0 || groups.some(({ monitorIds }) => monitorIds.includes(id)),
  );
  const choice: SnippetChoice = {
    url,
    title,
    monitorId: monitorId.value,
    label: label.value.trim(),
    theme: theme.value,
  };
  return (
    <div class="stack">
      <div class="form-row">
        <label class="field">
          <span>{texts.badgeOf}</span>
          <select
            class="input"
            onChange={({ currentTarget }) => {
              monitorId.value = currentTarget.value;
            }}
          >
            <option value="">{texts.allSystems}</option>
            {shown.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{texts.badgeTheme}</span>
          <select
            class="input"
            onChange={({ currentTarget }) => {
              theme.value = currentTarget.value === "dark" ? "dark" : "light";
            }}
          >
            <option value="light">{texts.themes.light}</option>
            <option value="dark">{texts.themes.dark}</option>
          </select>
        </label>
        <label class="field">
          <span>{texts.badgeLabel}</span>
          <input
            class="input"
            maxLength={40}
            onInput={({ currentTarget }) => {
              label.value = currentTarget.value;
            }}
          />
        </label>
      </div>
      <p>
        <img src={`status/${slug}${badgePath(choice)}`} alt={texts.badgePreview} height={20} />
      </p>
      <Snippet name={texts.badgeMarkdown} code={badgeMarkdown(choice)} />
      <Snippet name={texts.badgeHtml} code={badgeHtml(choice)} />
      <iframe
        class="embed-frame"
        key={choice.theme}
        src={`status/${slug}${embedPath(choice)}`}
        title={texts.embedPreview(title)}
        sandbox="allow-popups"
      />
      <Snippet name={texts.embedHtml} code={embedHtml(choice)} />
    </div>
  );
}

function Snippet({ name, code }: { readonly name: string; readonly code: string }) {
  return (
    <div class="code-box">
      <div class="entry-head">
        <b>{name}</b>
        <CopyButton text={code} about={name} />
      </div>
      <code class="code">{code}</code>
    </div>
  );
}
