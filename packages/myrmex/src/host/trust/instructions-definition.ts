/** A server's instructions as a definition: models read them, so they are pinned, graded and trusted like a tool. They are never called. */
import { requestDefinition } from '../../tool/request-definition.ts'
import type { Tool } from '../../tool/tool.ts'

/** No tool has such a name. */
export const instructionsDefinition = (server: string, text: string): Tool =>
  requestDefinition({
    name: `instructions:${server}`,
    description: text,
    listing: { description: text },
    origin: 'upstream',
  })
