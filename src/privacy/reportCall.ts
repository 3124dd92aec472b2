import type { CallContext } from "../call/callContext.ts";
import type { DataCall } from "../lifecycle/dataCall.ts";
import type { Questdbs } from "../store/questdb/questdbs.ts";

/** A call for the privacy report of a website, whose facts are counted from all of its rows. */
export type ReportCall = DataCall & CallContext<{ readonly questdb: Questdbs }>;
