/** Thrown when a journal is not what this process, or the mark, says it was: somebody else has changed it. Nothing is recorded then. */
import { ToolError } from '../../protocol/errors.ts'

export class JournalBreak extends ToolError {
  constructor(what: string, cause?: unknown) {
    const advice =
      'Nothing is recorded until an operator has looked: `myrmex audit verify` shows what is wrong, and ' +
      '`myrmex audit accept-break` starts a new chain that states it.'
    super('UnavailableError', `The journal was changed from outside: ${what}. ${advice}`, null, { cause })
  }
}
