/** One thing that a client does with a server; what it gives is compared between the two ways to that server. */
import type { Result } from '../clients/connection.ts'
import type { Session } from '../session.ts'

export interface Step {
  readonly name: string
  /** of the tool, resource, template or prompt that it tries, in the server's words */
  readonly tries?: string
  /** it takes more than one request, or somebody who answers: nothing for a client that asks once and is gone */
  readonly lasting?: true
  /** what the host may answer instead, because it can do more than a client that is connected directly */
  readonly hosted?: object
  run(session: Session): Promise<unknown>
}

/** Arguments may name files: they are given the folder of their side. */
export type Args = Result | ((folder: string) => Result)

const argsFor = (args: Args, { folder }: Session): Result => (typeof args === 'function' ? args(folder) : args)

export const call = (tool: string, args: Args, what = 'answers'): Step => ({
  name: `${tool} ${what}`,
  tries: tool,
  run: (session) => session.call(tool, argsFor(args, session)),
})

/** The same, of a tool that asks the user or the model on the way. */
export const asks = (tool: string, args: Args, what?: string): Step => ({ ...call(tool, args, what), lasting: true })

/** Arguments that break its schema. */
export const refuses = (tool: string, args: Args): Step => ({
  name: `${tool} is refused with wrong arguments`,
  run: async (session) => ({ refused: await session.refused(tool, argsFor(args, session)) }),
})

/** The same tools, with all that is said of them. */
export const listsTools: Step = { name: 'tools are listed', run: (session) => session.tools() }
