/** `myrmex verify`: checks tools in the ledger and in files automatically. Tools that pass become verified. */

import { isServer } from '../../ledger/decisions/bulk/selection.ts'
import { verifyDefinition } from '../../ledger/decisions/decide.ts'
import {
  listedTools,
  scanContext,
  type TrackedTool,
  trackedTools,
  trackedVersions,
} from '../../ledger/decisions/tracked-tools.ts'
import type { Decider } from '../../ledger/journal/decision.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { plural, shellWord } from '../../protocol/text.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, paint, print, say } from '../../serve/terminal.ts'
import type { Module } from '../../tool/discovery/module.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import type { Tool } from '../../tool/tool.ts'
import type { ExampleRun } from '../../tool/verify/examples.ts'
import { isBlocking, needsReview, type VerifyFinding } from '../../tool/verify/finding.ts'
import { verifyBody, verifyTool } from '../../tool/verify/verify-tool.ts'
import { localTime } from '../audit/format.ts'
import { type BulkFlags, decideMany } from './bulk.ts'
import { changedSince } from './earlier-decision.ts'
import { canLoad, LOAD_HINT, type LoadFlags, ledgerOf, loadAndRecord } from './load-tools.ts'
import { bullets, fact, factWithCommand, findingCount, findingLines } from './present-tool.ts'

export interface VerifyOptions extends LedgerFlags, LoadFlags, BulkFlags {
  all?: boolean
  readOnlyTools?: boolean
}

export async function verifyTools(names: string[], options: VerifyOptions): Promise<void> {
  const access = canLoad(options) ? 'create' : 'decide'
  await withLedger(await ledgerOf(options), access, async (ledger) => {
    const seen = await trackedTools(ledger)
    const readOnly = options.readOnlyTools === true
    if (readOnly || options.all || options.dryRun || names.some((name) => name.includes('*') || isServer(seen, name))) {
      const { known } = await loadAndRecord(ledger, options, [])
      const grant = { until: undefined, principal: undefined }
      return decideMany(ledger, known, { ...options, to: 'verify', grant, selection: { names, readOnly } })
    }
    const { known, modules, tools } = await loadAndRecord(ledger, options, names)
    const chosen = choose(known, names, tools)
    const examples = await examplesOf(modules, chosen, ledger)
    const results: VerifyResult[] = []
    const by = await cliDecider(ledger)
    for (const tracked of chosen)
      results.push(await verifyOne(ledger, tracked, { examples, known, byName: names.length > 0, by }))
    if (options.json) print(readableJson(results.map(asJson)))
    else printResults(results, options.file !== undefined)
    if (results.some(({ passed }) => !passed)) process.exitCode = 1
  })
}

/** Executes the examples of the chosen tools that were loaded from files. The client is loaded only here. */
async function examplesOf(
  modules: readonly Module[],
  chosen: readonly TrackedTool[],
  ledger: Ledger,
): Promise<Examples> {
  if (modules.length === 0) return new Map()
  const { tryExamples } = await import('../../spec/examples.ts')
  const wanted = (tool: Tool): boolean => chosen.some((tracked) => isOf(tracked, tool))
  return tryExamples(
    modules.map((module) => ({ ...module, tools: module.tools.filter(wanted) })),
    { recorder: ledger.journal },
  )
}

type Examples = ReadonlyMap<Tool, ExampleRun>

/** The named tools; else those in the files; else all that are listed. */
function choose(tracked: readonly TrackedTool[], names: readonly string[], tools: readonly Tool[]): TrackedTool[] {
  if (names.length > 0) return [...new Set(names.flatMap((name) => trackedVersions(tracked, name, LOAD_HINT)))]
  return tools.length === 0 ? listedTools(tracked) : tracked.filter((one) => tools.some((tool) => isOf(one, tool)))
}

const isOf = ({ definition }: TrackedTool, tool: Tool): boolean => definition.hash === tool.hash

type VerifyResult = Awaited<ReturnType<typeof verifyOne>>

/** Returns the level after the check, and in `note` the reason for it, if it is not obvious. */
async function verifyOne(
  ledger: Ledger,
  tracked: TrackedTool,
  { examples, known, byName, by }: { examples: Examples; known: readonly TrackedTool[]; byName: boolean; by: Decider },
) {
  const [tool, tried] = [...examples].find(([one]) => isOf(tracked, one)) ?? []
  const context = scanContext(tracked.tool, known)
  const origin = tracked.definition.origin === 'own' ? 'own' : 'upstream'
  const checked = tool === undefined ? verifyBody(tracked.body, { context, origin }) : verifyTool(tool, { context })
  const findings: VerifyFinding[] = [...checked, ...(tried?.findings ?? [])]
  const { level, keptBecause } = await verifyDefinition(ledger, tracked, findings, by, byName)
  // By name, the person has decided in spite of the warnings.
  const passed = byName ? !isBlocking(findings) : !needsReview(findings)
  return { tracked, findings, tried, level, passed, note: noteText(tracked, keptBecause, findings) }
}

function noteText(
  { tool, decision }: TrackedTool,
  stays: Awaited<ReturnType<typeof verifyDefinition>>['keptBecause'],
  findings: readonly VerifyFinding[],
): readonly [text: string, command?: string] | undefined {
  if (stays === 'findings' && !isBlocking(findings))
    return ['to verify it in spite of the warnings:', `npx myrmex verify ${shellWord(tool)}`]
  if (stays === 'changed') return ['its definition changed; to verify the new one, name the tool']
  if (stays === 'late') return ['it appeared after the first listing of its server; to verify it, name the tool']
  if (stays === 'trusted-other')
    return ['another definition of it is trusted; to decide:', `npx myrmex trust ${shellWord(tool)}`]
  if (stays !== 'refused' || decision === undefined) return undefined
  return [
    `${oneLine(decision.set_by, 60)} decided so on ${localTime(decision.set_at)}; to verify it anyway, name the tool`,
  ]
}

function printResults(results: readonly VerifyResult[], withFiles: boolean): void {
  if (results.length === 0) print('no tools seen yet: start a server with this ledger, or add --file')
  const width = Math.max(0, ...results.map(({ tracked }) => label(tracked).length))
  for (const { tracked, findings, tried, level, passed, note } of results) {
    const mark = passed ? paint('green', 'passed') : paint('red', 'failed')
    const stays = level === tracked.level ? 'still' : 'now'
    print(`${mark}  ${paint('bold', label(tracked).padEnd(width))}  ${findingCount(findings)}; ${stays} ${level}`)
    if (note !== undefined) print(noteLines(note))
    if (tracked.changed) for (const line of [`    ${changedSince(tracked)}:`, ...bullets(tracked.changes)]) print(line)
    for (const line of findingLines(findings, 4)) print(line)
    const examples = examplesText(tracked, tried)
    if (examples !== undefined) print(`    ${paint('dim', examples)}`)
  }
  const bad = results.filter(({ passed }) => !passed).length
  if (results.length > 1) print(`${plural(results.length, 'tool')}: ${results.length - bad} passed, ${bad} failed`)
  if (!withFiles && results.some(({ tracked }) => tracked.body.examples.length > 0))
    say('examples were checked against the schemas but not executed; to execute them, add --file')
}

const noteLines = ([text, command]: readonly [text: string, command?: string]): string =>
  command === undefined ? fact('', text) : factWithCommand('', text, oneLine(command))

const label = ({ tool, version }: TrackedTool): string => `${tool} ${version}`

function examplesText({ body }: TrackedTool, tried: ExampleRun | undefined): string | undefined {
  if (tried === undefined || body.examples.length === 0) return undefined
  const { mode, reason, count } = tried
  if (mode === 'run') return `${plural(count, 'example')} executed`
  if (mode === 'scratch state') return `${plural(count, 'example')} executed in a scratch state`
  if (mode === 'dry run') return `${plural(count, 'example')} executed as a dry run, because it changes state`
  return `${plural(body.examples.length, 'example')} checked against the schemas but not executed: ${reason}`
}

const asJson = ({ tracked, findings, tried, level, passed, note }: VerifyResult) => ({
  tool: tracked.tool,
  version: tracked.version,
  hash: tracked.definition.hash,
  destructive: tracked.body.destructive,
  passed,
  level,
  note: note?.join(' ') ?? null,
  changes: tracked.changed ? tracked.changes : null,
  findings,
  examples:
    tried === undefined
      ? { how: 'not run', why: 'no file was given', count: 0 }
      : { how: tried.mode, why: tried.reason, count: tried.count },
})
