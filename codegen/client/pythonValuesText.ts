import { constantName } from "./valueNames.ts";
import type { ValueSet } from "./valueSets.ts";

const header = `"""The values that the contract restricts texts to: a type for each list, such as Interval, and its values, such as INTERVALS.

Type checkers report another value in a message. A text that is only known at run time has to be looked up in the values first. Later versions
of the service may answer further values.
"""
# Code generated from the contract's validation rules. Do not edit.

from __future__ import annotations

from typing import Literal, get_args
`;

/** The Python source of a type and a tuple for each set of values. */
export function pythonValuesText(sets: readonly ValueSet[]): string {
  return [header, ...sets.map(setText)].join("\n");
}

function setText({ name, comment, values, fields }: ValueSet): string {
  return `${name} = Literal[
${values.map((value) => `    ${JSON.stringify(value)},\n`).join("")}]
"""${comment} In ${fields.join(", ")}."""
${constantName(name)}: tuple[${name}, ...] = get_args(${name})
`;
}

/**
 * The stub of a generated module (protoc's .pyi), with the types of value sets in place of \`str\` where the contract restricts a text. The
 * wire stays as it is.
 */
export function restrictedStub(text: string, sets: readonly ValueSet[]): string {
  const setOf = new Map(sets.flatMap(({ name, fields }) => fields.map((field) => [field, name] as const)));
  const parts = text.split(/^(?=class \w+\(_message\.Message\))/m);
  const restricted = parts.map((part) => {
    const [, message = ""] = /^class (\w+)/.exec(part) ?? [];
    return part.replaceAll(textMember, (whole, field: string, before: string, end: string) => {
      const name = setOf.get(`${message}.${field}`);
      return name === undefined ? whole : `${field}: ${before}_values.${name}${end}`;
    });
  });
  const all = restricted.join("");
  return all === text ? text : `from lookout import values as _values\n${all}`;
}

/** A member of a message or an argument of its constructor that is a text or a list of texts. */
const textMember =
  /\b(\w+): (_Optional\[_Iterable\[|_Optional\[|_containers\.RepeatedScalarFieldContainer\[|)str(\]\]|\]|)(?=$|,| )/gm;
