import { observeErrors } from "./scriptErrors.ts";
import { startScript } from "./startScript.ts";
import { observeVitals } from "./vitals.ts";

startScript((report) => {
  observeErrors(report, window.lookout?.errors);
  return observeVitals();
});
