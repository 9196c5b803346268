/**
 * ask: gets the answers that the definition needs from the client before the tool starts, so that the tool starts once. The answers are
 * part of the call that is approved.
 */
import { asCanonical } from '../../protocol/canonical.ts'
import type { InputResponses } from '../../protocol/content.ts'
import { type Call, NO_ANSWERS } from '../call.ts'
import { type Gate, proceed } from '../gate.ts'

export const ask: Gate = (tool, next) => {
  const question = tool.ask
  if (question === undefined) return next
  const answersFor = (call: Call): InputResponses | Promise<InputResponses> => {
    const requests = question(call.input, call)
    if (requests === undefined || Object.keys(requests).length === 0) return NO_ANSWERS
    call.noteQuestions(requests)
    return call.caller.ask(call, requests)
  }
  const withAnswers = (call: Call, given: InputResponses) => {
    const answers = asCanonical(given)
    call.answers = answers
    call.hear(answers)
    return next(call)
  }
  const failed = (call: Call, thrown: unknown) => call.endWith(thrown, tool.errorTypes)
  // The questions are about running the tool, not about undoing it.
  return (call) => (call.undoOf === undefined ? proceed(call, answersFor, withAnswers, failed) : next(call))
}
