import "../../../styles/more.css";
import "../../../styles/states.css";

export { GoalStrip } from "./goals/goalStrip.tsx";
export { Lines } from "./lines/lines.tsx";
