import { startScript } from "./startScript.ts";

startScript();
