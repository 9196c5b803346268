/** Asks a model which arguments to change. Only what changes is asked for; the whole must fit the tool, secrets stay put. */
import * as z from 'zod'
import type { JsonObject } from '../../../protocol/json.ts'
import { redact, SECRET, secretNames } from '../../../protocol/secret.ts'
import { argumentProblems } from '../arguments.ts'
import type { ReviseRequest } from '../brain.ts'
import { type ModelQuestion, questionKind, type ReadResult } from './question.ts'

const Changes = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe('the arguments to change, with their new values; null where no change would help')

const ask = questionKind(
  'A step of a plan was carried out, and its result was judged not good enough. With which other arguments would the same ' +
    'tool do better?',
  [
    'Give only the arguments that change. The rest stays as it is.',
    'The arguments must fit the input schema of the tool. Change what the judgements ask for and nothing else.',
    'Values are plain: nothing can refer to other steps here.',
    'An argument shown as "[secret]" stays as it is.',
  ],
  z.strictObject({ changes: Changes }),
)

export function reviseQuestion(request: ReviseRequest): ModelQuestion<JsonObject | null> {
  const { goal, step, tool, verdict } = request
  const secrets = new Set([...secretNames(tool.input), ...secretNames(tool.output ?? {})])
  const { name, description, input } = tool
  const values = {
    goal,
    why: step.why,
    criteria: step.criteria,
    tool: { name, description, input },
    arguments: redact(request.arguments, secrets),
    verdict,
    result: redact(request.data, secrets),
  }
  return ask(values, ({ changes }) => readChanges(changes, request))
}

function readChanges(changes: z.infer<typeof Changes>, request: ReviseRequest): ReadResult<JsonObject | null> {
  if (changes === null) return { ok: true, value: null }
  const secrets = secretNames(request.tool.input)
  const forbidden = Object.keys(changes).filter((name) => secrets.has(name) && changes[name] !== SECRET)
  if (forbidden.length > 0)
    return { ok: false, problems: forbidden.map((name) => `/changes/${name}: a secret cannot be changed`) }
  const open = Object.entries(changes).filter(([name]) => !secrets.has(name))
  const changed = { ...request.arguments, ...Object.fromEntries(open) } as JsonObject
  const problems = argumentProblems(request.tool, changed)
  if (problems.length > 0) return { ok: false, problems: problems.map((problem) => `/changes${problem}`) }
  const isSame = JSON.stringify(changed) === JSON.stringify(request.arguments)
  return { ok: true, value: isSame ? null : changed }
}
