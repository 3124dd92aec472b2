import {
  type GetPrivacyReportResponse,
  type PrivacyPoint,
  type Website,
  WebsiteService,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { useCall } from "../../../api/useCall.ts";
import { baseUrl } from "../../../router/base.ts";
import { formatTenths } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { language } from "../../../texts/texts.ts";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { StoredForm } from "./storedForm.tsx";

const client = clientOf(WebsiteService);

/** /settings/<website>/privacy: the points of the privacy report, and the paragraph for the website's privacy policy. */
export function PrivacyPage({ website }: { readonly website: Website }) {
  const { id } = website;
  const { privacy: texts } = allTexts();
  const inLanguage = language.value;
  const state = useCall(`${id} ${inLanguage}`, (signal) =>
    client.getPrivacyReport({ websiteId: id, format: "json", language: inLanguage }, { signal }),
  );
  const page = `${baseUrl}/v1/websites/${id}/privacy-report?format=html&language=${inLanguage}`;
  return (
    <>
      <Section
        name="privacy"
        title={texts.heading}
        text={texts.text}
        tools={
          <a class="button" href={page} rel="external">
            {texts.openPage}
          </a>
        }
      >
        <Loaded state={state} height="40rem">
          {(report) => <Points report={report} />}
        </Loaded>
      </Section>
      <StoredForm website={website} />
      {state.value !== undefined && (
        <Section
          name="policy"
          title={texts.policy}
          text={texts.policyText}
          tools={<CopyButton text={state.value.policyText} about={texts.policy} />}
        >
          <p>{state.value.policyText}</p>
        </Section>
      )}
    </>
  );
}

function Points({ report }: { readonly report: GetPrivacyReportResponse }) {
  const { privacy: texts } = allTexts();
  const count = (state: string) => report.points.filter((point) => point.state === state).length;
  return (
    <>
      <p>
        {texts.sums(count("fulfilled"), count("broken"), count("unknown"))} <Time at={report.generatedAt} />
      </p>
      <p class="section-text">{report.disclaimer}</p>
      <ul class="rows">
        {report.points.map((point) => (
          <li key={point.id} class="row">
            <Point point={point} />
          </li>
        ))}
      </ul>
    </>
  );
}

const marks: Readonly<Record<string, string>> = { fulfilled: "mark mark-good", broken: "mark mark-bad" };

function Point({ point }: { readonly point: PrivacyPoint }) {
  const { privacy: texts } = allTexts();
  const { state, title, requirement, finding, authorities, brokenBy, settings, counts } = point;
  const states: Readonly<Record<string, string>> = texts.states;
  return (
    <>
      <div class="row-main">
        <h3 class="row-name">{title}</h3>
        <p>{finding}</p>
        <details>
          <summary>{texts.proof}</summary>
          <p class="section-text">{requirement}</p>
          <Facts
            facts={[
              [texts.askedBy, authorities.map((name) => name.toUpperCase()).join(", ")],
              ...(state === "broken"
                ? [[texts.brokenBy, brokenBy.length === 0 ? texts.noSetting : brokenBy.join(", ")] as const]
                : []),
              ...settings.map(({ name, value }) => [<code class="mono">{name}</code>, value] as const),
              ...counts.map(
                ({ name, value, oldestAt }) =>
                  [
                    <code class="mono">{name}</code>,
                    <>
                      {value === undefined ? states["unknown"] : formatTenths(value)}
                      {oldestAt !== undefined && (
                        <>
                          {" "}
                          ({texts.oldest} <Time at={oldestAt} />)
                        </>
                      )}
                    </>,
                  ] as const,
              ),
            ]}
          />
        </details>
      </div>
      <span class={marks[state] ?? "mark"}>{states[state] ?? state}</span>
    </>
  );
}
