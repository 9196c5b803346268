/** A tool of a document as the rules look at it: what it says, its schemas ready to judge by, the text of its sections. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { JsonBlock, Place, ReadTool, Section, SectionId } from '../document.ts'
import { type JudgedExample, judgeExample } from './example.ts'
import type { Fault } from './finding.ts'
import { JudgedSchema, type Side } from './judge.ts'
import { type Patience, TOO_SLOW } from './patience.ts'
import { isDeep } from './quote.ts'

/** Section 3 or 4, as far as its schema goes. */
export interface SchemaPart {
  readonly side: Side
  readonly block: JsonBlock | undefined
  /** undefined: there is none, it is not JSON, no object, or too deep to be looked at */
  readonly schema: JudgedSchema | undefined
}

export class LintedTool {
  readonly read: ReadTool
  readonly name: string | undefined
  readonly input: SchemaPart
  readonly output: SchemaPart
  /** what took too long to check, and so was not */
  readonly slow: Fault[] = []
  readonly #patience: Patience
  readonly #lines: readonly string[]
  /** the line after its last */
  readonly #end: number
  #examples: readonly JudgedExample[] | undefined

  constructor(read: ReadTool, end: number, lines: readonly string[], patience: Patience) {
    this.read = read
    this.name = (read.invocationName ?? read.headingName)?.value
    this.#patience = patience
    this.#lines = lines
    this.#end = end
    this.input = partOf('input', read.inputSchema, patience)
    this.output = partOf('output', read.outputSchema, patience)
  }

  get examples(): readonly JudgedExample[] {
    this.#examples ??= this.read.examples.map((example) => judgeExample(example, this.input, this.output))
    return this.#examples
  }

  section(id: SectionId): Section | undefined {
    return this.read.sections.find((section) => section.id === id)
  }

  /** One that has something to say: those that are missing or empty are found as such, and nothing else is said of them. */
  filled(id: SectionId): Section | undefined {
    const section = this.section(id)
    return section?.empty === false ? section : undefined
  }

  /** What is found in a schema. References may double at every step; without them nothing takes longer than it is. */
  inReason<T>({ side, block, schema }: SchemaPart, look: () => T[]): T[] {
    if (block === undefined || schema === undefined) return []
    const found = schema.refers ? this.#patience.within(look) : look()
    if (found !== TOO_SLOW) return found
    this.slow.push({
      place: block.place,
      message: `the ${side} schema takes too long to look through; make it simpler.`,
    })
    return []
  }

  /** The line of the file that this is on, as written. */
  lineAt({ line }: Place): string {
    return this.#lines[line - 1] ?? ''
  }

  /** What stands below the heading, as written. */
  textOf(section: Section): string {
    const after = this.read.sections.map(({ place }) => place.line).filter((line) => line > section.place.line)
    return this.#lines.slice(section.place.line - 1, Math.min(this.#end, ...after) - 1).join('\n')
  }
}

/** Whether a block gives a value to go by. */
export const isRead = (block: JsonBlock): boolean =>
  block.value !== undefined && block.faults.every(({ forgiven }) => forgiven)

function partOf(side: Side, block: JsonBlock | undefined, patience: Patience): SchemaPart {
  if (block === undefined || !isRead(block) || isDeep(block.value)) return { side, block, schema: undefined }
  // A tool without data may say just that.
  const value = side === 'output' && block.value === null ? { type: 'null' } : block.value
  const schema = isObject(value) ? new JudgedSchema(value as JsonObject, side, patience) : undefined
  return { side, block, schema }
}
