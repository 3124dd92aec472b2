import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  type OpenSharedDashboardResponse,
  SharedDashboardService,
} from "../../../../../packages/client-js/src/gen/lookout/v1/shared_dashboards_pb.ts";
import { clientOf, errorOf, type LookoutError } from "../../api/client.ts";
import { setAccess } from "../../api/sharedAccess.ts";
import { keepFragment } from "../../router/router.ts";
import { WaitingPage } from "../../shell/waitingPage.tsx";
import { t } from "../../texts/texts.ts";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { Field, Form } from "../../ui/form.tsx";
import { Overview } from "./overview.tsx";

const dashboards = clientOf(SharedDashboardService);

type SharedByLinkProps = { readonly dashboardId: string; readonly token: string };

/** /shared/<website>/<dashboard>#<token>: what the owner of a link chose of a website's overview, for whoever has the link. */
export function SharedByLink({ dashboardId, token }: SharedByLinkProps) {
  const opened = useSignal<OpenSharedDashboardResponse | undefined>(undefined);
  const error = useSignal<LookoutError | undefined>(undefined);
  const open = async (password?: string): Promise<void> => {
    const answer = await dashboards.openSharedDashboard({ token, ...(password === undefined ? {} : { password }) });
    setAccess(answer.access);
    opened.value = answer;
  };
  const begin = (): void => {
    error.value = undefined;
    open().catch((thrown: unknown) => {
      error.value = errorOf(thrown);
    });
  };
  useEffect(() => {
    keepFragment(token);
    begin();
    return () => {
      keepFragment("");
      setAccess(undefined);
    };
  }, [dashboardId, token]);
  const { shared: texts } = t();
  const answer = opened.value;
  if (answer !== undefined)
    return (
      <Overview
        key={dashboardId}
        websiteId={answer.websiteId}
        name={answer.name}
        timezone={answer.timezone}
        isMember={false}
        types={answer.types}
      >
        <p class="field-hint">{texts.of(answer.name)}</p>
      </Overview>
    );
  if (error.value === undefined) return <WaitingPage />;
  if (error.value.code === "UNAUTHORIZED")
    return (
      <section class="card">
        <h1>{texts.needsPassword}</h1>
        <Form
          submit={texts.open}
          errorTexts={{ UNAUTHORIZED: texts.wrongPassword, NOT_FOUND: texts.ended }}
          onSubmit={(value) => open(value("password"))}
        >
          <Field name="password" type="password" label={texts.password} maxLength={256} autoFocus />
        </Form>
      </section>
    );
  if (ended.has(error.value.code))
    return (
      <section class="card">
        <h1>{texts.endedTitle}</h1>
        <p>{texts.ended}</p>
      </section>
    );
  return <ErrorNotice error={error.value} onRetry={begin} />;
}

/** Errors of the service for a link that does not work, or no longer. */
const ended: ReadonlySet<string> = new Set(["NOT_FOUND", "VALIDATION_ERROR"]);
