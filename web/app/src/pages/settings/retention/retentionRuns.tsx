import { WebsiteService } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { useCall } from "../../../api/useCall.ts";
import { formatCount } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { kindName } from "../../../ui/rowCounts.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";

const client = clientOf(WebsiteService);

/** The latest runs of the retention, and what each erased. */
export function RetentionRuns({ websiteId }: { readonly websiteId: string }) {
  const { retention: texts, settings } = allTexts();
  const state = useCall(websiteId, async (signal) => {
    const { runs } = await client.listRetentionRuns({ id: websiteId, limit: 14 }, { signal });
    return runs;
  });
  return (
    <Section name="runs" title={texts.runs} text={texts.runsText}>
      <Loaded state={state} height="4rem" empty={texts.noRuns} isEmpty={(runs) => runs.length === 0}>
        {(runs) => (
          <ul class="rows">
            {runs.map(({ dueAt, finishedAt, erased }) => (
              <li key={dueAt} class="row">
                <div class="row-main">
                  <span>
                    <Time at={dueAt} />
                  </span>
                  <span class="row-facts">
                    {Object.entries(erased).map(([kind, rows]) => (
                      <span key={kind}>{`${kindName(settings.kinds, kind)}: ${formatCount(rows)}`}</span>
                    ))}
                    {Object.keys(erased).length === 0 && <span>{texts.nothingErased}</span>}
                  </span>
                </div>
                {finishedAt === undefined && <span class="mark">{texts.running}</span>}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
