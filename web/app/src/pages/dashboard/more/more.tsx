import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { useDashboard } from "../context.ts";
import { countDays } from "../view/days.ts";
import { Goals } from "./goals/goals.tsx";
import { Links } from "./links.tsx";
import { useMarks } from "./marks.ts";
import { statusPages } from "./services.ts";
import { Uptime } from "./uptime.tsx";
import { Vitals } from "./vitals.tsx";
import "../../../styles/more.css";
import "../../../styles/states.css";

/** The service's limit of days of a status page. */
const mostDays = 90;

/** The parts below the lists: goals, vitals, uptime and links. Passes the chart its marks. */
export function More() {
  const { websiteId, days: range, now, isMember } = useDashboard();
  const days = Math.min(mostDays, countDays({ first: range.first, last: now.day }));
  const status = useCall(
    `status of ${websiteId} ${days}`,
    (signal) => statusPages.getStatusPage({ websiteId, days }, { signal }),
    { isWanted: isMember && may("read:uptime") },
  );
  useMarks(status.value);
  return (
    <>
      {isMember && may("read:data") && <Goals key={websiteId} />}
      <Vitals />
      {isMember && may("read:uptime") && <Uptime status={status} days={days} />}
      {isMember && may("read:links") && <Links />}
    </>
  );
}
