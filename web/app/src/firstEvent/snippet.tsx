import { useSignal } from "@preact/signals";
import { baseUrl } from "../router/base.ts";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { CopyButton } from "../ui/copyButton.tsx";
import { snippetOf, type Way, ways } from "./snippets.ts";

/** What a website has to contain to be counted, in several ways, with its id filled in already. */
export function Snippet({ websiteId }: { readonly websiteId: string }) {
  const { firstEvent } = allTexts();
  const way = useSignal<Way>("script");
  const text = snippetOf(way.value, websiteId, baseUrl);
  return (
    <div class="code-box" data-snippet={way.value}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div class="tabs" role="group" aria-label={firstEvent.ways}>
        {ways.map((name) => (
          <button
            key={name}
            type="button"
            class="tab"
            aria-pressed={way.value === name}
            onClick={() => {
              way.value = name;
            }}
          >
            {firstEvent.wayNames[name]}
          </button>
        ))}
      </div>
      <p class="field-hint">{firstEvent.wayTexts[way.value]}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people who use the keyboard have to scroll it. */}
      <pre class="code" tabIndex={0}>
        {text}
      </pre>
      <div>
        <CopyButton key={way.value} text={text} about={firstEvent.snippet} class="button button-main" />
      </div>
    </div>
  );
}
