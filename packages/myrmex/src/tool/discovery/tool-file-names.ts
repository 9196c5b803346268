/** How the names of tool files end, in the words of messages. */
import { ToolError } from '../../protocol/errors.ts'

export const TOOL_FILE_NAMES = '*.tools.ts, *.agent.ts; also .mts, .js and .mjs'

export const missingToolPath = (path: string): ToolError =>
  ToolError.of(
    'FileNotFoundError',
    `${path} does not exist. Name a tool file, or a folder with tool files (${TOOL_FILE_NAMES}).`,
  )
