import { startLook } from "./preferences/look.ts";
import { startVisibleControls } from "./ui/visibleControls.ts";

/** Starts what a page needs only once it is on screen. */
export function startAfterFirst(): void {
  startVisibleControls();
  startLook();
}
