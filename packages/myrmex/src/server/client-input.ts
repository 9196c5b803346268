/** Questions to the client: the capability each needs, and the shape of its answer. */
import type { InputRequest, InputRequests, InputResponse, InputResponses } from '../protocol/content.ts'
import { isObject, type JsonObject, pathToProto } from '../protocol/json.ts'

/** The required capability: `{elicitation: {form: {}}}`, `{sampling: {tools: {}}}`, … */
function requiredCapability({ method, params }: InputRequest): JsonObject {
  switch (method) {
    case 'elicitation/create':
      return { elicitation: { [params.mode === 'url' ? 'url' : 'form']: {} } }
    case 'sampling/createMessage':
      return { sampling: params.tools === undefined ? {} : { tools: {} } }
    case 'roots/list':
      return { roots: {} }
  }
}

/** `elicitation: {}` means form: clients before 2025-11-25 write it that way, and some still do. */
function offers(capabilities: JsonObject, needed: JsonObject): boolean {
  return Object.entries(needed).every(([name, modes]) => {
    const offered = capabilities[name]
    if (!isObject(offered)) return false
    const bare = name === 'elicitation' && offered.form === undefined && offered.url === undefined
    return Object.keys(modes as JsonObject).every((mode) => isObject(offered[mode]) || (bare && mode === 'form'))
  })
}

/** The capabilities that the questions need and the client lacks; undefined if it has them all. */
export function missingCapabilities(requests: InputRequests, capabilities: JsonObject): JsonObject | undefined {
  const missing = Object.values(requests)
    .map(requiredCapability)
    .filter((needed) => !offers(capabilities, needed))
  return missing.length === 0 ? undefined : Object.assign({}, ...missing)
}

/** Separates well-formed answers from questions without one. */
export function matchAnswers(
  requests: InputRequests,
  given: InputResponses,
): { answers: InputResponses; open: InputRequests } {
  const answers: [string, InputResponse][] = []
  const open: [string, InputRequest][] = []
  for (const [key, request] of Object.entries(requests)) {
    const answer = Object.hasOwn(given, key) ? given[key] : undefined
    if (isAnswerTo(request, answer)) answers.push([key, answer])
    else open.push([key, request])
  }
  return { answers: Object.fromEntries(answers), open: Object.fromEntries(open) }
}

export function isAnswerTo(request: InputRequest, answer: unknown): answer is InputResponse {
  // An answer with such a member would reach the tool like an argument: the question stays open.
  if (!isObject(answer) || pathToProto(answer) !== undefined) return false
  switch (request.method) {
    case 'elicitation/create':
      if (answer.action === 'decline' || answer.action === 'cancel') return true
      return answer.action === 'accept' && hasRequired(request, answer.content ?? {})
    case 'sampling/createMessage':
      return typeof answer.role === 'string' && answer.content !== undefined
    case 'roots/list':
      return Array.isArray(answer.roots)
  }
}

/** An accepted form must have all required fields. */
function hasRequired(request: InputRequest, content: unknown): boolean {
  if (!isObject(content)) return false
  const schema = request.params?.requestedSchema
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : []
  return required.every((name) => Object.hasOwn(content, name as string))
}
