/** Whether arguments fit a tool's input schema. Every revision is checked here, by a model or by rules. */
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { compileSchema } from '../../protocol/schema.ts'
import type { ToolView } from '../fleet/tool-view.ts'

/** Empty if they fit. A schema that cannot be compiled is a problem too. */
export function argumentProblems(tool: ToolView, args: JsonObject): string[] {
  try {
    const parsed = compileSchema(tool.input, 'input', 'foreign').parse(args)
    return parsed.success ? [] : parsed.issues.map(({ path, message }) => `${path || '/'}: ${message}`)
  } catch (error) {
    if (error instanceof ToolError) return [`${tool.name}: ${error.message}`]
    throw error
  }
}
