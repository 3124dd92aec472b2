import type {
  GetIncidentResponse,
  Monitor,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { formatInstant } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { intervalsMs } from "../../../ui/uptime/uptimeText.ts";
import { type Square, squaresOf } from "./checkSquares.ts";
import { clock, shortSpan } from "./incidentTime.ts";

type CheckGridProps = {
  readonly answer: GetIncidentResponse;
  readonly monitor: Monitor;
  readonly zone: string;
};

/** The checks around an incident: a row for each region, a square for each slot. */
export function CheckGrid({ answer, monitor, zone }: CheckGridProps) {
  const { incident: texts } = allTexts();
  const squares = squaresOf(answer.checks, monitor.regions, intervalsMs[monitor.interval] ?? 60_000);
  return (
    <section class="panel" aria-labelledby="squares" data-panel="squares">
      <div class="panel-head">
        <div class="panel-title">
          <h2 id="squares">{texts.checks}</h2>
          {squares !== undefined && (
            <span class="field-hint">
              {texts.squareIs(shortSpan(squares.stepMs), clock(squares.fromMs, zone), clock(squares.untilMs, zone))}
            </span>
          )}
        </div>
      </div>
      <div class="panel-part">
        {squares === undefined ? (
          <p class="nothing">{texts.checksGone}</p>
        ) : (
          <dl class="squares">
            {squares.rows.map((row) => (
              <div key={row.region} class="squares-row">
                <dt>{row.region}</dt>
                <dd>
                  <span class="squares-of" role="img" aria-label={texts.ofRegion(row.region, countsOf(row.squares))}>
                    {row.squares.map((square) => (
                      <span
                        key={square.fromMs}
                        class="square"
                        data-state={square.state}
                        title={titleOf(square, zone)}
                      />
                    ))}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        )}
        {answer.hasMoreChecks && <p class="field-hint">{texts.moreChecks}</p>}
      </div>
    </section>
  );
}

function stateName(state: Square["state"]): string {
  const { uptime: texts } = allTexts();
  return state === "unknown" ? texts.notChecked : texts.states[state];
}

function titleOf({ fromMs, state, error }: Square, zone: string): string {
  const time = formatInstant(fromMs, zone, { withSeconds: true });
  return [time, stateName(state), ...(error === undefined ? [] : [error])].join(", ");
}

/** How many squares have which state, for people who do not see them. */
function countsOf(squares: readonly Square[]): string {
  const counts = Map.groupBy(squares, ({ state }) => state);
  return [...counts].map(([state, of]) => `${stateName(state)}: ${of.length}`).join(", ");
}
