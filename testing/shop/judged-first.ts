/** Calls a tool that changes state as somebody whose every call needs approval. */
import type { ErrorDetail, Tool } from 'myrmex'
import { call, serve, trust } from '../gated-server.ts'

/** The error of a call that fails before a person is asked. Throws if the call waits for approval, or succeeds. */
export async function judgedFirst(tools: readonly Tool[], name: string, args: object): Promise<ErrorDetail> {
  const counted = tools.map((tool) => ({ tool, ran: [] }))
  const { file, ledger, server } = await serve(counted)
  for (const one of counted) await trust(ledger, one)
  const { status, error } = await call(server, name, args)
  const approvals = file.rows('SELECT * FROM approvals')
  if (error === null) throw new Error(`${name} succeeded without approval: ${status}`)
  if (approvals.length > 0) throw new Error(`${name} asked a person first: ${JSON.stringify(error)}`)
  return error
}
