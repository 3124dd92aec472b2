import type { LookoutError } from "../api/client.ts";
import { t } from "../texts/texts.ts";
import { Field, Form } from "./form.tsx";

type CodeFormProps = {
  /** Gets the code without spaces. */
  readonly onCode: (code: string) => Promise<void>;
  readonly errorTexts: Partial<Record<LookoutError["code"], string>>;
};

/** Asks for the second factor, after a password that was right. */
export function CodeForm({ onCode, errorTexts }: CodeFormProps) {
  const { signIn: texts } = t();
  return (
    <>
      <h1>{texts.codeTitle}</h1>
      <Form
        submit={texts.confirm}
        errorTexts={errorTexts}
        onSubmit={(value) => onCode(value("code").replaceAll(" ", ""))}
      >
        <Field name="code" label={texts.code} hint={texts.codeHint} autoComplete="one-time-code" autoFocus />
      </Form>
    </>
  );
}
