/** Questions to the client: which capability each kind needs, and whether an answer has the shape of one. */
import type { InputRequest, InputRequests, InputResponse, InputResponses } from '../protocol/content.ts'
import { missingCapability } from '../protocol/errors.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'

const CAPABILITY = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const satisfies Record<InputRequest['method'], string>

/** Throws -32021 naming everything the client would have to offer. */
export function requireCapabilities(requests: InputRequests, capabilities: JsonObject): void {
  const missing: JsonObject = {}
  for (const { method } of Object.values(requests)) {
    const name = CAPABILITY[method]
    if (!isObject(capabilities[name])) missing[name] = {}
  }
  const names = Object.keys(missing)
  if (names.length > 0) throw missingCapability(names.join(', '), missing)
}

/** The answers that are there and well formed, and the requests that still have none. */
export function match(
  requests: InputRequests,
  given: InputResponses,
): { answers: InputResponses; open: InputRequests } {
  const answers: InputResponses = {}
  const open: InputRequests = {}
  for (const [key, request] of Object.entries(requests)) {
    const answer = Object.hasOwn(given, key) ? given[key] : undefined
    if (isAnswerTo(request, answer)) answers[key] = answer
    else open[key] = request
  }
  return { answers, open }
}

export function isAnswerTo(request: InputRequest, answer: unknown): answer is InputResponse {
  if (!isObject(answer)) return false
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

/** An accepted form has at least what it was asked for. */
function hasRequired(request: InputRequest, content: unknown): boolean {
  if (!isObject(content)) return false
  const schema = request.params?.requestedSchema
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : []
  return required.every((name) => Object.hasOwn(content, name as string))
}
