/**
 * The results of examples as their document shows them. Examples run twice: in a scratch state the second time is another day in
 * another time zone. Values that differ are replaced by fixed samples, so the same code gives the same document on every machine and day.
 *
 * A value that differs only sometimes (the throw of a coin) could be taken for a stable one. So the document's own value is kept
 * where values are known to differ, and a document that disagrees with two runs is held against further ones.
 */
import { canonical } from '../../protocol/canonical.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { valueAtPath } from '../../protocol/json.ts'
import type { Module } from '../../tool/discovery/module.ts'
import type { Example, Tool } from '../../tool/tool.ts'
import { type TriedExamples, tryExamples } from '../examples.ts'
import { fitsSchema } from '../render/sample.ts'
import type { DocumentedResult, DocumentedResults } from './documented-results.ts'
import { type MergedResult, mergeResults } from './merge-results.ts'
import { ELSEWHERE, HERE_AND_NOW } from './moment.ts'
import { type Recorded, type RecordedExamples, type RecordedResult, toolKey } from './recorded-examples.ts'
import { refusedCall } from './refused-call.ts'
import { shorten } from './shorten.ts'
import { stableText } from './stable-text.ts'

/** An example of a tool that may read anything, and now returns other values than the document shows. */
export interface ChangedExample {
  readonly tool: Tool
  readonly index: number
  readonly documented: DocumentedResult
}

export interface Recording {
  /** the first run of each tool */
  readonly tried: ReadonlyMap<Tool, TriedExamples>
  readonly recorded: Recorded
  readonly changed: readonly ChangedExample[]
}

/** Two, and further ones of tools that the document disagrees with. A coin that is thrown so often falls on both sides. */
const MAX_RUNS = 6

export async function recordExamples(modules: readonly Module[], documented: DocumentedResults): Promise<Recording> {
  const now = Date.now()
  const tried = await tryExamples(modules, { moment: HERE_AND_NOW, refusedCall })
  const recordings = [...tried].map(([tool, run]) => new ToolRecording(tool, run, documented.get(toolKey(tool)), now))
  for (let runs = 1; runs < MAX_RUNS; runs++) {
    const open = new Map(recordings.filter((one) => runs === 1 || one.disagrees).map((one) => [one.tool, one]))
    if (open.size === 0) break
    const again = modules.map((module) => ({ ...module, tools: module.tools.filter((tool) => open.has(tool)) }))
    for (const [tool, { results }] of await tryExamples(again, { moment: ELSEWHERE })) open.get(tool)?.add(results)
  }
  return {
    tried,
    recorded: new Map(recordings.map((one) => [toolKey(one.tool), one.examples])),
    changed: recordings.flatMap((one) => one.changed),
  }
}

class ToolRecording {
  readonly tool: Tool
  readonly #run: TriedExamples
  readonly #documented: readonly (DocumentedResult | undefined)[]
  readonly #merged: (MergedResult | undefined)[]
  readonly #now: number | undefined

  constructor(
    tool: Tool,
    run: TriedExamples,
    documented: readonly (DocumentedResult | undefined)[] | undefined,
    now: number,
  ) {
    this.tool = tool
    this.#run = run
    this.#documented = documented ?? []
    this.#now = run.mode === 'scratch state' ? undefined : now
    // Findings name the example that is wrong.
    const failed = new Set(run.findings.map(({ where }) => Number(where.split('/')[2])))
    this.#merged = run.results.map((result, index) =>
      failed.has(index) ? undefined : this.#merge({ result: plain(result), varying: [] }, result),
    )
  }

  add(results: readonly ToolResult[]): void {
    for (const [index, result] of results.entries()) {
      const before = this.#merged[index]
      this.#merged[index] = before === undefined ? undefined : this.#merge(before, result)
    }
  }

  #merge(before: MergedResult, result: ToolResult): MergedResult | undefined {
    const { output, errorDetails } = this.tool
    const type = result.error?.error_type ?? ''
    const details = Object.hasOwn(errorDetails, type) ? errorDetails[type]?.json : undefined
    const merged = mergeResults(before.result, result, { data: output.json, details, now: this.#now })
    return merged && { result: merged.result, varying: [...before.varying, ...merged.varying] }
  }

  /** Whether further runs may show that the document is still true. Without a scratch state other values are no error, so none are made. */
  get disagrees(): boolean {
    if (this.#run.mode !== 'scratch state') return false
    return this.#examples().some((one, index) => {
      const documented = this.#documented[index]
      return one !== undefined && documented !== undefined && !isSame(documented, one)
    })
  }

  /** A tool without a scratch state may read the whole world, which the document does not promise. */
  get changed(): ChangedExample[] {
    if (this.#run.mode === 'scratch state') return []
    const changed: ChangedExample[] = []
    for (const [index, one] of this.#examples().entries()) {
      const documented = this.#documented[index]
      if (documented === undefined || one === undefined || isSame(documented, one)) continue
      if (this.#isStillPossible(documented.result, one.result)) changed.push({ tool: this.tool, index, documented })
    }
    return changed
  }

  get examples(): RecordedExamples {
    const { refused } = this.#run
    const args = refused === undefined ? undefined : refusedCall(this.tool)
    return {
      results: this.#examples(),
      ...(refused !== undefined && args !== undefined && { refused: { arguments: args, result: plain(refused) } }),
    }
  }

  #examples(): (RecordedResult | undefined)[] {
    return this.#merged.map((merged, index) =>
      merged === undefined ? undefined : this.#shown(merged, this.tool.examples[index] as Example, index),
    )
  }

  #shown({ result, varying }: MergedResult, { data }: Example, index: number): RecordedResult | undefined {
    const schema = this.tool.output.json
    if (!this.#fits(result)) return undefined
    const { result: short, shortened } = shorten(result, schema)
    const kept = keepVarying({ result: short, varying }, this.#documented[index]?.result)
    const shown = this.#fits(kept) ? kept : short
    // Promised data is shown as the author wrote it.
    return data === undefined
      ? { result: shown, shortened }
      : { result: { ...shown, data: JSON.parse(JSON.stringify(data)) }, shortened: false }
  }

  #fits({ data }: ToolResult): boolean {
    return data === null || fitsSchema(this.tool.output.json, data)
  }

  #isStillPossible(documented: ToolResult, now: ToolResult): boolean {
    const isAlike = documented.status === now.status && documented.error?.error_type === now.error?.error_type
    return isAlike && (documented.data === null) === (now.data === null) && this.#fits(documented)
  }
}

/** Only the four fields of an envelope, in their order. */
const plain = ({ status, data, error, explanation }: ToolResult): ToolResult => ({ status, data, error, explanation })

const isSame = (documented: DocumentedResult, one: RecordedResult): boolean =>
  documented.shortened === one.shortened && canonical(documented.result) === canonical(one.result)

/** The result with the document's values where values differ from call to call. */
function keepVarying({ result, varying }: MergedResult, documented: ToolResult | undefined): ToolResult {
  if (documented === undefined || varying.length === 0) return result
  const copy = structuredClone(result)
  for (const { path, replaced } of varying) {
    const [value, was] = [valueAtPath(copy, path), valueAtPath(documented, path)]
    const around = valueAtPath(copy, path.slice(0, -1))
    if (value === undefined || was === undefined || kindOf(value) !== kindOf(was)) continue
    // The rest of a text must be as it was.
    if (replaced === 'text' && stableText(String(value), String(was)) !== value) continue
    if (typeof around === 'object' && around !== null) Object.assign(around, { [path.at(-1) as string]: was })
  }
  return copy
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)
