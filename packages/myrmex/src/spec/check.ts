/**
 * Checks the document of a folder: it equals what the definitions render to, the linter finds no errors, and its examples return
 * what they promise. The lock file checks the versions.
 */
import { clip } from '../protocol/text.ts'
import type { Module } from '../tool/discovery/module.ts'
import type { Tool } from '../tool/tool.ts'
import { type ExampleRun, NOT_SAFE_TO_RUN } from '../tool/verify/examples.ts'
import { toolBody } from '../tool/verify/verify-tool.ts'
import { documentedResults } from './examples/documented-results.ts'
import { type ChangedExample, recordExamples } from './examples/record.ts'
import { type Recorded, type RecordedExamples, toolKey } from './examples/recorded-examples.ts'
import { lint } from './lint.ts'
import { EMPTY_LOCK, type Lock, migrationSteps } from './lock.ts'
import { renderDocument } from './render.ts'

export interface CheckFinding {
  readonly file: string
  readonly line: number
  readonly rule: string
  /** an error fails the check; the others are for the reader */
  readonly severity: 'error' | 'warning' | 'note'
  readonly message: string
  readonly tool?: string
}

export interface FolderCheck {
  readonly findings: readonly CheckFinding[]
  readonly tools: number
  /** examples executed, by the way they were */
  readonly examples: Readonly<Record<Exclude<ExampleRun['mode'], 'not run'>, number>>
}

/** `text` is the present content of the document. */
export async function checkFolder(
  document: string,
  text: string | undefined,
  modules: readonly Module[],
  lock: Lock = EMPTY_LOCK,
): Promise<FolderCheck> {
  const tools = modules.flatMap((module) => module.tools)
  const { tried, recorded, changed } = await recordExamples(modules, documentedResults(text))
  const bodies = tools.map(toolBody)
  const expected = renderDocument(bodies, {
    recorded: withDocumented(recorded, changed),
    migrations: migrationSteps(bodies, lock),
  })
  const findings: CheckFinding[] = [...upToDate(document, text, expected)]
  // The expected text is linted, so that a stale document is not reported twice.
  findings.push(...lint(document, expected), ...changed.map((one) => changedFinding(document, one)))
  const examples = { run: 0, 'scratch state': 0, 'dry run': 0 }
  for (const [tool, outcome] of tried) {
    if (outcome.mode !== 'not run') examples[outcome.mode] += outcome.count
    findings.push(...exampleFindings(document, tool, outcome))
  }
  return { findings, tools: tools.length, examples }
}

/** What a tool reads elsewhere may change at any time. That is reported, and the document is not out of date because of it. */
function withDocumented(recorded: Recorded, changed: readonly ChangedExample[]): Recorded {
  const kept = new Map(recorded)
  for (const { tool, index, documented } of changed) {
    const examples = kept.get(toolKey(tool)) as RecordedExamples
    kept.set(toolKey(tool), { ...examples, results: examples.results.with(index, documented) })
  }
  return kept
}

const changedFinding = (file: string, { tool, index, documented: { line } }: ChangedExample): CheckFinding => ({
  file,
  line,
  rule: 'example-changed',
  severity: 'warning',
  tool: tool.name,
  message:
    `${tool.name}: example ${index + 1} now returns other values. Run myrmex spec render to show them. If they should not change, ` +
    'state them as the data of the example, or export a scratch state from the module.',
})

function* upToDate(file: string, text: string | undefined, expected: string): Iterable<CheckFinding> {
  const severity = 'error'
  const todo = 'Run myrmex spec render.'
  if (text === undefined) {
    yield { file, line: 1, rule: 'document-missing', severity, message: `there is no document. ${todo}` }
    return
  }
  // A checkout on another system may have turned the line ends.
  const [now, then] = [text.replaceAll('\r\n', '\n').split('\n'), expected.split('\n')]
  const first = then.findIndex((line, index) => line !== now[index])
  const index = first === -1 && now.length > then.length ? then.length : first
  if (index === -1) return
  const message = `is not what the definitions say: ${shown(now[index])} should be ${shown(then[index])}. ${todo}`
  yield { file, line: index + 1, rule: 'document-stale', severity, message }
}

const MAX_LENGTH = 100
const shown = (line: string | undefined): string => {
  if (line === undefined) return 'nothing'
  return JSON.stringify(clip(line, MAX_LENGTH))
}

function* exampleFindings(file: string, tool: Tool, { mode, reason, findings }: ExampleRun): Iterable<CheckFinding> {
  const said = { file, line: 1, tool: tool.name }
  for (const { rule, where, message } of findings) {
    const index = Number(where.split('/')[2])
    yield { ...said, rule, severity: 'error', message: `${tool.name}: example ${index + 1}: ${message}` }
  }
  if (mode !== 'not run' || tool.examples.length === 0) return
  const severity = reason === NOT_SAFE_TO_RUN ? 'error' : 'note'
  const todo = reason === NOT_SAFE_TO_RUN ? ' Give the tool a dryRun, or export a scratch state from its module.' : ''
  yield {
    ...said,
    rule: 'example-not-run',
    severity,
    message: `${tool.name}: examples are not executed: ${reason}.${todo}`,
  }
}
