import { type DescField, type DescFile, ScalarType } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { reached } from "../contract.ts";
import { clientServices } from "./clientServices.ts";
import { fieldName } from "./requiredFields.ts";
import { timeFields } from "./timeFields.ts";

/** What a field of a request holds instead of what its type says. An instant of a range may be a whole day as well. */
export type TimeKind = "instant" | "day or instant" | "day" | "milliseconds";

/** Undefined for fields that hold no time. */
export function timeKindOf(field: DescField): TimeKind | undefined {
  const { scalar, name } = field;
  const isOfDays = /(?:^|_)date(?:_|$)/.test(name);
  if (scalar === ScalarType.STRING) {
    if (timeFields.includes(fieldName(field)))
      return isOfDays || /^(?:from|to)$/.test(name) ? "day or instant" : "instant";
    return isOfDays ? "day" : undefined;
  }
  return scalar === ScalarType.DOUBLE && commentOf(field).includes("Unix ms") ? "milliseconds" : undefined;
}

/** The Python source of the fields of requests that hold times, by kind. */
export function pythonTimesText(files: readonly DescFile[]): string {
  const methods = clientServices(files).flatMap((service) => service.methods);
  const messages = reached(methods.map(({ input }) => input));
  const lines = [...messages].flatMap(({ fields }) =>
    fields.flatMap((field) => {
      const kind = timeKindOf(field);
      return kind === undefined ? [] : [`    "${fieldName(field)}": "${kind}",\n`];
    }),
  );
  return `# Code generated from the contract. Do not edit.

from __future__ import annotations

from typing import Literal

TimeKind = Literal["instant", "day or instant", "day", "milliseconds"]

TIME_FIELDS: dict[str, TimeKind] = {
${lines.toSorted().join("")}}
`;
}
