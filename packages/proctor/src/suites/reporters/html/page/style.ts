// The style of the page. No line of it loads anything.
import { FRAME_STYLE } from "./style-frame.ts";
import { PARTS_STYLE } from "./style-parts.ts";

export const STYLE = `${FRAME_STYLE}${PARTS_STYLE}`.replaceAll("\r\n", "\n");
