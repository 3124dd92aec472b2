/**
 * Pieces of JavaScript text: blocks, else-if chains, quoting. Text is a list of lines without their final indentation.
 */

export type Lines = readonly string[];

/** `head {`, the indented body, `}`. */
export function block(head: string, body: Lines): Lines {
  return [`${head} {`, ...body.map((line) => `  ${line}`), "}"];
}

/** if, else if …, else. Without branches the text of `otherwise` alone. */
export function chain(branches: readonly { test: string; body: Lines }[], otherwise: Lines = []): Lines {
  if (branches.length === 0) return otherwise;
  const lines: string[] = [];
  branches.forEach((branch, index) => {
    lines.push(`${index === 0 ? "" : "} else "}if (${branch.test}) {`, ...branch.body.map((line) => `  ${line}`));
  });
  if (otherwise.length > 0) lines.push("} else {", ...otherwise.map((line) => `  ${line}`));
  return [...lines, "}"];
}

/** A string as a JavaScript literal. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** Reads a member: `json.name`, or `json["other-name"]`. */
export function member(object: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${object}.${name}` : `${object}[${quote(name)}]`;
}

/** A call that records a violation; `path` is a JavaScript expression. */
export function violate(
  path: string,
  message: string,
  rule: string,
  more: { value?: string; allowed?: readonly string[] } = {},
): string {
  const suffix = more.allowed === undefined ? "" : `, ${more.value ?? "undefined"}, ${JSON.stringify(more.allowed)}`;
  return `violate(violations, ${path}, ${quote(message)}, ${quote(rule)}${suffix});`;
}
