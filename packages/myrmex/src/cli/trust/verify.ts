/** `myrmex verify`: what a machine can check, for tools in the ledger and in files; what passes is verified. */
import { verifySeen } from '../../ledger/decide.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type Seen, seenTools, versionsOf } from '../../ledger/seen.ts'
import type { Level } from '../../ledger/trust.ts'
import { whoDecides } from '../../ledger/who.ts'
import type { Module } from '../../tool/module.ts'
import { readableJson } from '../../tool/readable-json.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Tried } from '../../tool/verify/examples.ts'
import { type Finding, hasErrors } from '../../tool/verify/finding.ts'
import { verify, verifyBody } from '../../tool/verify.ts'
import { endWithReader } from '../audit/output.ts'
import { counted, localTime } from '../audit/show.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { oneLine } from '../line.ts'
import { paint, print, say } from '../terminal.ts'
import { changedSince } from './before.ts'
import { FROM_FILE, seeFiles } from './files.ts'
import { findingCount, findingLines } from './findings.ts'
import { bullets, fact } from './present.ts'

export interface VerifyOptions extends LedgerChoice {
  file?: string[]
  json?: boolean
}

interface Verified {
  readonly seen: Seen
  readonly findings: readonly Finding[]
  readonly tried: Tried | undefined
  /** what it is afterwards */
  readonly level: Level
  /** why it is that, where that is not plain */
  readonly note: string | undefined
}

export async function verifyTools(names: string[], options: VerifyOptions): Promise<void> {
  endWithReader()
  const access = options.file === undefined ? { existing: true } : {}
  await withLedger(
    options,
    async (ledger) => {
      const modules = await seeFiles(options.file, ledger)
      const chosen = choose(
        await seenTools(ledger),
        names,
        modules.flatMap(({ tools }) => tools),
      )
      const examples = await examplesOf(modules, chosen, ledger)
      const results: Verified[] = []
      for (const seen of chosen) results.push(await verified(ledger, seen, examples, names.length > 0))
      if (options.json) print(readableJson(results.map(asJson)))
      else show(results, options.file !== undefined)
      if (results.some(({ findings }) => hasErrors(findings))) process.exitCode = 1
    },
    access,
  )
}

/** Of the chosen tools, those whose code is at hand. The client is loaded only for this. */
async function examplesOf(modules: readonly Module[], chosen: readonly Seen[], ledger: Ledger): Promise<Examples> {
  if (modules.length === 0) return new Map()
  const { tryExamples } = await import('../../spec/examples.ts')
  const wanted = (tool: Tool): boolean => chosen.some((seen) => isOf(seen, tool))
  return tryExamples(
    modules.map((module) => ({ ...module, tools: module.tools.filter(wanted) })),
    ledger.audit,
  )
}

type Examples = ReadonlyMap<Tool, Tried>

/** Whatever was named; else what the files have; else all. */
function choose(seen: readonly Seen[], names: readonly string[], tools: readonly Tool[]): Seen[] {
  if (names.length > 0) return [...new Set(names.flatMap((name) => versionsOf(seen, name, FROM_FILE)))]
  return tools.length === 0 ? [...seen] : seen.filter((one) => tools.some((tool) => isOf(one, tool)))
}

const isOf = ({ definition }: Seen, tool: Tool): boolean => definition.hash === tool.hash

async function verified(ledger: Ledger, seen: Seen, examples: Examples, byName: boolean): Promise<Verified> {
  const [tool, tried] = [...examples].find(([one]) => isOf(seen, one)) ?? []
  const findings = [...(tool === undefined ? verifyBody(seen.body) : verify(tool)), ...(tried?.findings ?? [])]
  const { level, stays } = await verifySeen(ledger, seen, findings, whoDecides(), byName)
  return { seen, findings, tried, level, note: noteOn(seen, stays) }
}

function noteOn({ tool, decision }: Seen, stays: Awaited<ReturnType<typeof verifySeen>>['stays']): string | undefined {
  if (stays === 'changed') return 'it is not what it was; name it to verify it as it is now'
  if (stays === 'trusted-other') return `another definition of it is trusted; myrmex trust ${tool} decides`
  if (stays !== 'refused' || decision === undefined) return undefined
  return `${oneLine(decision.set_by, 60)} said so on ${localTime(decision.set_at)}; name it to verify it all the same`
}

function show(results: readonly Verified[], withFiles: boolean): void {
  if (results.length === 0) print('no tools seen yet: start a server on this ledger, or give --file')
  const width = Math.max(0, ...results.map(({ seen }) => label(seen).length))
  for (const { seen, findings, tried, level, note } of results) {
    const mark = hasErrors(findings) ? paint('red', 'errors') : paint('green', 'passed')
    const stays = level === seen.level ? 'still' : 'now'
    print(`${mark}  ${paint('bold', label(seen).padEnd(width))}  ${findingCount(findings)}; ${stays} ${level}`)
    if (note !== undefined) print(fact('', note))
    if (seen.changed) for (const line of [`    ${changedSince(seen)}:`, ...bullets(seen.changes)]) print(line)
    for (const line of findingLines(findings, 4)) print(line)
    const examples = examplesInWords(seen, tried)
    if (examples !== undefined) print(`    ${paint('dim', examples)}`)
  }
  const bad = results.filter(({ findings }) => hasErrors(findings)).length
  if (results.length > 1)
    print(`${counted(results.length, 'tool')}: ${results.length - bad} passed, ${bad} with errors`)
  if (!withFiles && results.length > 0)
    say('examples were held against the schemas and not run: give --file to run them')
}

const label = ({ tool, version }: Seen): string => `${tool} ${version}`

function examplesInWords({ body }: Seen, tried: Tried | undefined): string | undefined {
  if (tried === undefined || body.examples.length === 0) return undefined
  const { how, why, count } = tried
  if (how === 'run') return `${counted(count, 'example')} run`
  if (how === 'scratch state') return `${counted(count, 'example')} run in a scratch state`
  if (how === 'dry run') return `${counted(count, 'example')} run as a dry run: it changes state`
  return `${counted(body.examples.length, 'example')} held against the schemas and not run: ${why}`
}

const asJson = ({ seen, findings, tried, level, note }: Verified) => ({
  tool: seen.tool,
  version: seen.version,
  hash: seen.definition.hash,
  destructive: seen.body.destructive,
  passed: !hasErrors(findings),
  level,
  note: note ?? null,
  changes: seen.changed ? seen.changes : null,
  findings,
  examples:
    tried === undefined
      ? { how: 'not run', why: 'no file was given', count: 0 }
      : { how: tried.how, why: tried.why, count: tried.count },
})
