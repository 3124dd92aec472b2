export type TitleTexts = {
  readonly answered: (monitor: string, status: string) => string;
  readonly noAnswer: (monitor: string) => string;
  readonly wrongAnswer: (monitor: string) => string;
  readonly noConnection: (monitor: string) => string;
  readonly down: (monitor: string) => string;
};

/** What happened, in a few words, from the error of the first check that failed. */
export function incidentTitle(monitor: string, firstError: string, texts: TitleTexts): string {
  const status = /^HTTP (?:status )?(\d{3})\b/.exec(firstError)?.[1];
  if (status !== undefined) return texts.answered(monitor, status);
  if (/^(no answer within|timeout)/i.test(firstError)) return texts.noAnswer(monitor);
  if (/^(JSON assertion failed|the answer is not JSON|the keyword)/.test(firstError)) return texts.wrongAnswer(monitor);
  if (/host name|connection|refused|reset|unreachable|certificate|TLS/i.test(firstError))
    return texts.noConnection(monitor);
  return texts.down(monitor);
}
