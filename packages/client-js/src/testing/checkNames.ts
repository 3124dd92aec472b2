import { serviceDescriptors } from "../services.ts";
import { checkRows } from "./rowAnswers.ts";
import type { TestAnswers } from "./testAnswers.ts";
import { unknownName } from "./unknownName.ts";

/** Throws a TypeError for answers of services, calls and query types that do not exist, and for rows that Lookout would not answer. */
export function checkNames({ rows = {}, ...services }: TestAnswers): void {
  const known = Object.keys(serviceDescriptors);
  for (const [name, calls = {}] of Object.entries(services)) {
    const service = Object.entries(serviceDescriptors).find(([each]) => each === name)?.[1];
    if (service === undefined) throw unknownName("service", name, name, [...known, "rows"]);
    const methods = service.methods.map(({ localName }) => localName);
    for (const call of Object.keys(calls))
      if (!methods.includes(call)) throw unknownName("call", `${name}.${call}`, call, methods);
  }
  checkRows(rows);
}
