/** `myrmex call NAME JSON`: one call. Its result goes to stdout, its status is the exit code. */
import { text } from 'node:stream/consumers'
import type { Connection } from '../../client/connect.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { loadRules, type RulesFlags } from '../../serve/operator-file.ts'
import { clean, paint, print } from '../../serve/terminal.ts'
import { chooseFolder, reportLedgerElsewhere } from '../choose-folder.ts'
import { type ConnectTarget, connectTarget } from './connect-target.ts'

export interface CallOptions extends LedgerFlags, RulesFlags {
  file?: string[]
  url?: string
  json?: boolean
  timeout?: number
  dryRun?: boolean
}

export async function call(
  name: string,
  json: string,
  rest: Omit<ConnectTarget, 'url'>,
  options: CallOptions,
): Promise<void> {
  const args = await readArguments(json)
  const files = options.file ?? []
  const to: ConnectTarget = { files, command: rest.command, ...(options.url !== undefined && { url: options.url }) }
  // Tools that run in this process are gated and recorded here. A server elsewhere has its own ledger.
  if (files.length === 0) return callAndPrint(await connectTarget(to), name, args, options)
  const flags = chooseFolder(options, files)
  reportLedgerElsewhere(flags, options.ledger)
  const rules = await loadRules(flags)
  const { durability } = rules.policy.audit ?? {}
  await withLedger(
    flags,
    'create',
    async (ledger) => callAndPrint(await connectTarget(to, { ledger, ...rules }), name, args, options),
    durability,
  )
}

async function callAndPrint(
  connection: Connection,
  name: string,
  args: Record<string, unknown>,
  options: CallOptions,
): Promise<void> {
  try {
    const { timeout, dryRun } = options
    const result = await connection.call(name, args, {
      ...(timeout !== undefined && { timeoutMs: timeout }),
      ...(dryRun === true && { dryRun }),
    })
    print(options.json ? JSON.stringify(result, null, 2) : resultText(result))
    if (result.status === 'failure') process.exitCode = 1
  } finally {
    await connection.close()
  }
}

async function readArguments(json: string): Promise<Record<string, unknown>> {
  const given = json === '-' ? await text(process.stdin) : json
  let args: unknown
  try {
    args = JSON.parse(given)
  } catch (error) {
    throw ToolError.of('ValidationError', `The arguments are not valid JSON: ${(error as Error).message}`)
  }
  if (!isObject(args)) throw ToolError.of('ValidationError', `The arguments must be a JSON object, such as {"a": 1}`)
  return args
}

function resultText({ status, data, error, explanation }: ToolResult): string {
  const lines = [paint(status === 'failure' ? 'red' : status === 'success' ? 'green' : 'yellow', status)]
  if (explanation !== null) lines.push(clean(explanation))
  if (error !== null) {
    lines.push(clean(`${error.error_type}: ${error.error_message}`))
    if (error.error_details) lines.push(paint('dim', clean(JSON.stringify(error.error_details, null, 2))))
  }
  if (data !== null) lines.push(clean(JSON.stringify(data, null, 2)))
  return lines.join('\n')
}
