import type { Link, UpdateLinkRequest } from "../../../../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { t } from "../../texts/texts.ts";
import { instantOf, wallClock } from "../../texts/wallClock.ts";
import { Checkbox } from "../../ui/fields.tsx";
import { Field, Form } from "../../ui/form.tsx";

type Plain = Omit<UpdateLinkRequest, "$typeName" | "$unknown" | "id" | "password" | "utm">;

/** What the form gives. An empty text means none. A field of the contract that it does not give does not compile. */
export type LinkFields = Readonly<Required<Plain>> & {
  /** Left out where it stays as it is. */
  readonly password?: string;
  readonly utm: Readonly<Partial<Record<Campaign, string>>>;
};

const campaign = ["source", "medium", "campaign", "term", "content"] as const;

type Campaign = (typeof campaign)[number];

type LinkFormProps = {
  /** Undefined for a new one. */
  readonly link: Link | undefined;
  /** The website's time zone. */
  readonly zone: string;
  readonly submit: string;
  readonly cancelHref: string;
  readonly onSubmit: (fields: LinkFields) => Promise<void>;
};

const address = { type: "url", maxLength: 2_048, pattern: "[hH][tT][tT][pP][sS]?://[^ ]+" } as const;

/** All options of a link; rarely needed ones are folded away. */
export function LinkForm({ link, zone, submit, cancelHref, onSubmit }: LinkFormProps) {
  const { links: texts } = t();
  const { fields } = texts;
  const send = (value: (name: string) => string): Promise<void> => {
    const text = (name: string): string => value(name).trim();
    const password = value("password");
    return onSubmit({
      slug: text("slug"),
      targetUrl: text("targetUrl"),
      name: text("name"),
      domain: text("domain"),
      expiresAt: text("expiresAt") === "" ? "" : instantOf(text("expiresAt"), zone),
      expiredUrl: text("expiredUrl"),
      clickLimit: Number(text("clickLimit")),
      ...(password !== "" ? { password } : value("removePassword") === "on" ? { password: "" } : {}),
      iosUrl: text("iosUrl"),
      androidUrl: text("androidUrl"),
      desktopUrl: text("desktopUrl"),
      forwardQuery: value("forwardQuery") === "on",
      utm: Object.fromEntries(campaign.map((name) => [name, text(name)]).filter(([, part]) => part !== "")),
    });
  };
  return (
    <div class="panel panel-form">
      <Form submit={submit} cancelHref={cancelHref} errorTexts={{}} onSubmit={send}>
        <Field
          {...address}
          name="targetUrl"
          label={fields.targetUrl}
          hint={fields.targetUrlHint}
          placeholder="https://example.com/sale"
          value={link?.targetUrl ?? ""}
        />
        <div class="form-row">
          <Field
            name="slug"
            label={fields.slug}
            hint={link === undefined ? fields.slugHint : fields.slugChangeHint}
            isOptional={link === undefined}
            maxLength={64}
            pattern="[A-Za-z0-9_\-]+"
            value={link?.slug ?? ""}
          />
          <Field
            name="name"
            label={fields.name}
            hint={fields.nameHint}
            isOptional
            maxLength={255}
            value={link?.name ?? ""}
          />
        </div>
        <details class="fold">
          <summary>{fields.campaign}</summary>
          <div class="form">
            <p class="field-hint">{fields.campaignHint}</p>
            <div class="form-row">
              {campaign.map((name) => (
                <Field
                  key={name}
                  name={name}
                  label={`utm_${name}`}
                  isOptional
                  maxLength={255}
                  value={link?.utm?.[name] ?? ""}
                />
              ))}
            </div>
            <Checkbox name="forwardQuery" label={fields.forwardQuery} isChecked={link?.forwardQuery ?? true} />
          </div>
        </details>
        <details class="fold">
          <summary>{fields.end}</summary>
          <div class="form">
            <div class="form-row">
              <Field
                name="expiresAt"
                type="datetime-local"
                label={fields.expiresAt}
                hint={fields.expiresAtHint(zone)}
                isOptional
                value={link?.expiresAt === undefined ? "" : wallClock(Date.parse(link.expiresAt), zone)}
              />
              <Field
                name="clickLimit"
                type="number"
                label={fields.clickLimit}
                hint={fields.clickLimitHint}
                isOptional
                min={0}
                max={2_147_483_647}
                value={link?.clickLimit ?? ""}
              />
            </div>
            <Field
              {...address}
              name="expiredUrl"
              label={fields.expiredUrl}
              hint={fields.expiredUrlHint}
              isOptional
              value={link?.expiredUrl ?? ""}
            />
            <Field
              name="password"
              type="password"
              label={fields.password}
              hint={link?.hasPassword === true ? fields.passwordKept : fields.passwordHint}
              autoComplete="new-password"
              isOptional
              maxLength={128}
            />
            {link?.hasPassword === true && <Checkbox name="removePassword" label={fields.removePassword} />}
          </div>
        </details>
        <details class="fold">
          <summary>{fields.devices}</summary>
          <div class="form">
            <p class="field-hint">{fields.devicesHint}</p>
            {(["iosUrl", "androidUrl", "desktopUrl"] as const).map((name) => (
              <Field key={name} {...address} name={name} label={fields[name]} isOptional value={link?.[name] ?? ""} />
            ))}
            <Field
              name="domain"
              label={fields.domain}
              hint={fields.domainHint}
              isOptional
              maxLength={255}
              value={link?.domain ?? ""}
            />
          </div>
        </details>
      </Form>
    </div>
  );
}
