/** Judges the content blocks of our own tools: a block that breaks MCP makes clients reject the whole result. */
import * as z from 'zod'

/** As clients read it. */
function isBase64(text: string): boolean {
  try {
    atob(text)
    return true
  } catch {
    return false
  }
}

const Base64 = z.string().refine(isBase64, 'must be base64')
const meta = z.looseObject({}).optional()
const common = {
  annotations: z
    .looseObject({
      audience: z.array(z.enum(['user', 'assistant'])).optional(),
      priority: z.number().min(0).max(1).optional(),
      lastModified: z.iso.datetime({ offset: true }).optional(),
    })
    .optional(),
  _meta: meta,
}
const embedded = { uri: z.string(), mimeType: z.string().optional(), _meta: meta }

const Content = z.array(
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text: z.string(), ...common }),
    z.looseObject({ type: z.literal(['image', 'audio']), data: Base64, mimeType: z.string(), ...common }),
    z.looseObject({
      type: z.literal('resource'),
      resource: z.union([
        z.looseObject({ text: z.string(), ...embedded }),
        z.looseObject({ blob: Base64, ...embedded }),
      ]),
      ...common,
    }),
    z.looseObject({
      type: z.literal('resource_link'),
      uri: z.string(),
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      mimeType: z.string().optional(),
      size: z.number().optional(),
      ...common,
    }),
  ]),
)

/** The content of an answer. */
export const AnswerContent = z.object({ content: Content })
