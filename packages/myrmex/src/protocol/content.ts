/** The content blocks of MCP, as tools, prompts and resources give them. */

export interface Annotations {
  audience?: ('user' | 'assistant')[]
  priority?: number
  lastModified?: string
}
interface Annotated {
  annotations?: Annotations
  _meta?: Record<string, unknown>
}
export interface TextContent extends Annotated {
  type: 'text'
  text: string
}
export interface MediaContent extends Annotated {
  type: 'image' | 'audio'
  /** base64 */
  data: string
  mimeType: string
}
export interface ResourceContents {
  uri: string
  mimeType?: string
  text?: string
  /** base64 */
  blob?: string
  _meta?: Record<string, unknown>
}
export interface EmbeddedResource extends Annotated {
  type: 'resource'
  resource: ResourceContents
}
export interface ResourceLink extends Annotated {
  type: 'resource_link'
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
}
export type ContentBlock = TextContent | MediaContent | EmbeddedResource | ResourceLink

export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const isLogLevel = (level: unknown): level is LogLevel => (LOG_LEVELS as readonly unknown[]).includes(level)

/** What a server may ask of its client in the middle of a request. */
export type InputRequest =
  | { method: 'elicitation/create'; params: Record<string, unknown> }
  | { method: 'sampling/createMessage'; params: Record<string, unknown> }
  | { method: 'roots/list'; params?: Record<string, unknown> }
export type InputRequests = Record<string, InputRequest>
export type InputResponse = Record<string, unknown>
export type InputResponses = Record<string, InputResponse>
