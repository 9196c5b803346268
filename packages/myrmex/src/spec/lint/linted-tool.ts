/** A tool of a document as the rules see it: what was parsed, its checked schemas and examples, the text of its sections. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { DocumentTool, JsonBlock, Section, SectionId, TextLocation } from '../document.ts'
import { type CheckedExample, checkExample } from './checked-example.ts'
import { CheckedSchema, type SchemaSide } from './checked-schema.ts'
import type { RuleFinding } from './finding.ts'
import { isTooDeep } from './show-value.ts'
import { type TimeLimit, TOO_SLOW } from './time-limit.ts'

/** The schema of section 3 or 4. */
export interface SchemaPart {
  readonly side: SchemaSide
  readonly block: JsonBlock | undefined
  /** undefined if there is none, or if it is not JSON, not an object or too deep */
  readonly schema: CheckedSchema | undefined
}

export class LintedTool {
  readonly parsed: DocumentTool
  readonly name: string | undefined
  readonly input: SchemaPart
  readonly output: SchemaPart
  /** checks that were stopped because they took too long */
  readonly slow: RuleFinding[] = []
  readonly #patience: TimeLimit
  readonly #lines: readonly string[]
  /** the line after the last line of the tool */
  readonly #end: number
  #examples: readonly CheckedExample[] | undefined

  constructor(read: DocumentTool, end: number, lines: readonly string[], patience: TimeLimit) {
    this.parsed = read
    this.name = (read.invocationName ?? read.headingName)?.value
    this.#patience = patience
    this.#lines = lines
    this.#end = end
    this.input = partOf('input', read.inputSchema, patience)
    this.output = partOf('output', read.outputSchema, patience)
  }

  get examples(): readonly CheckedExample[] {
    this.#examples ??= this.parsed.examples.map((example) => checkExample(example, this.input, this.output))
    return this.#examples
  }

  /** Only a row of a table or an item of a list names it, so there is nothing to check in its sections. */
  get isOnlyListed(): boolean {
    return this.parsed.origin === 'listing'
  }

  section(id: SectionId): Section | undefined {
    return this.parsed.sections.find((section) => section.id === id)
  }

  /** A section with content. Missing and empty ones are reported as such, and not checked further. */
  nonEmptySection(id: SectionId): Section | undefined {
    const section = this.isOnlyListed ? undefined : this.section(id)
    return section?.empty === false ? section : undefined
  }

  /** Findings in a schema. Only schemas with references need the time limit: references can double at every step. */
  withinTimeLimit<T>({ side, block, schema }: SchemaPart, look: () => T[]): T[] {
    if (block === undefined || schema === undefined) return []
    const found = schema.hasReferences ? this.#patience.run(look) : look()
    if (found !== TOO_SLOW) return found
    this.slow.push({
      location: block.location,
      message: `the ${side} schema takes too long to check. Make it simpler.`,
    })
    return []
  }

  lineAt({ line }: TextLocation): string {
    return this.#lines[line - 1] ?? ''
  }

  /** The text below the heading, as written. */
  textOf(section: Section): string {
    const after = this.parsed.sections
      .map(({ location }) => location.line)
      .filter((line) => line > section.location.line)
    return this.#lines.slice(section.location.line - 1, Math.min(this.#end, ...after) - 1).join('\n')
  }
}

/** Whether a block has a usable value. */
export const isParsed = (block: JsonBlock): boolean =>
  block.value !== undefined && block.faults.every(({ tolerated }) => tolerated)

function partOf(side: SchemaSide, block: JsonBlock | undefined, patience: TimeLimit): SchemaPart {
  if (block === undefined || !isParsed(block) || isTooDeep(block.value)) return { side, block, schema: undefined }
  // `null` stands for a tool that returns no data.
  const value = side === 'output' && block.value === null ? { type: 'null' } : block.value
  const schema = isObject(value) ? new CheckedSchema(value as JsonObject, side, patience) : undefined
  return { side, block, schema }
}
