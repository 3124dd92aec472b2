import { baseUrl } from "../router/base.ts";
import { goTo, place } from "../router/router.ts";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { CopyButton } from "../ui/copyButton.tsx";
import { type ChosenGuide, readGuide, withGuide } from "./chosenGuide.ts";
import { guides, optionsOf, snippetOf } from "./snippets.ts";

/** How a website is counted, by what it is made with: a few steps, and what to insert, with its id filled in already. */
export function Snippet({ websiteId }: { readonly websiteId: string }) {
  const { firstEvent } = allTexts();
  const chosen = readGuide(place.value.query);
  const { guide, options } = chosen;
  const text = snippetOf(guide, { websiteId, options }, baseUrl);
  return (
    <div class="guide" data-snippet={guide}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div class="tabs guide-tabs" role="group" aria-label={firstEvent.ways}>
        {guides.map((name) => (
          <button
            key={name}
            type="button"
            class="tab"
            aria-pressed={guide === name}
            onClick={() => show({ ...chosen, guide: name })}
          >
            {firstEvent.wayNames[name]}
          </button>
        ))}
      </div>
      <ol class="guide-steps">
        {firstEvent.guideSteps[guide].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {optionsOf(guide).length > 0 && (
        <fieldset class="guide-options">
          <legend>{firstEvent.options}</legend>
          {optionsOf(guide).map((name) => (
            <label key={name} class="checkbox">
              <input
                type="checkbox"
                name={name}
                checked={options.includes(name)}
                onChange={(event) => {
                  const others = options.filter((option) => option !== name);
                  show({ guide, options: event.currentTarget.checked ? [...others, name] : others });
                }}
              />
              <span>{firstEvent.optionNames[name]}</span>
            </label>
          ))}
        </fieldset>
      )}
      <div class="code-box">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people who use the keyboard have to scroll it. */}
        <pre class="code" tabIndex={0}>
          {text}
        </pre>
        <div>
          <CopyButton key={text} text={text} about={firstEvent.snippet} class="button button-main" />
        </div>
      </div>
    </div>
  );
}

function show(chosen: ChosenGuide): void {
  const { segments, query } = place.value;
  goTo(segments, { query: withGuide(query, chosen), replace: true, keepScroll: true });
}
