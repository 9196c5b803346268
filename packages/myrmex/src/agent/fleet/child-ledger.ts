/** The file of the ledger of a child agent, for commands that a person runs. */
import { resolve } from 'node:path'
import type { ServerSettings } from '../../host/settings.ts'

/** Undefined: it is on another machine, in a database, or named by a text that has a secret. */
export function childLedger({ endpoint, secrets }: ServerSettings): string | undefined {
  if (endpoint.where !== 'child') return undefined
  const { args, env, cwd } = endpoint
  const named = args.findLast((arg, at) => args[at - 1] === '--ledger' || arg.startsWith('--ledger='))
  const file = named?.replace(/^--ledger=/, '') ?? env.MYRMEX_LEDGER
  if (file === undefined || file.includes('://') || secrets.some((secret) => file.includes(secret))) return undefined
  return resolve(cwd, file)
}
