/** A fenced block of JSON. No line of JSON begins with a backtick, so three are always enough. */
import { readableJson } from '../../tool/text/readable-json.ts'

export const jsonBlock = (value: unknown): string => `\`\`\`json\n${readableJson(value)}\n\`\`\``
