/** Whether arguments fit what a tool takes: the one question asked of every revision, whoever made it. */
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { compileSchema } from '../../protocol/schema.ts'
import type { ToolView } from '../fleet/tool-view.ts'

/** Empty: they fit. A schema that nobody can compile is a problem too, since nothing is known to fit it. */
export function argumentProblems(tool: ToolView, args: JsonObject): string[] {
  try {
    const parsed = compileSchema(tool.input, 'input').parse(args)
    return parsed.success ? [] : parsed.issues.map(({ path, message }) => `${path || '/'}: ${message}`)
  } catch (error) {
    if (error instanceof ToolError) return [`${tool.name}: ${error.message}`]
    throw error
  }
}
