import { createContext } from "preact";

/** Closes the window that a part is in; undefined outside of windows. */
export const CloseDialog = createContext<(() => void) | undefined>(undefined);
