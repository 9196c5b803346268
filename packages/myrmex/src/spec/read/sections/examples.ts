/**
 * The examples of a section: each has a block with the call, and optional blocks with results. A `tools/call` message on the MCP
 * wire is read as the call in it.
 */
import type { Code, Heading, Paragraph } from 'mdast'
import { isObject } from '../../../protocol/json.ts'
import type { DocumentExample, JsonBlock, TextLocation } from '../../document.ts'
import { wordsOf } from '../../markdown/inline.ts'
import type { Lines } from '../../markdown/lines.ts'
import {
  endOffset,
  inlineBetween,
  isJson,
  locationOf,
  nodesOf,
  nodesOfType,
  startOffset,
} from '../../markdown/nodes.ts'
import { readInline } from '../../markdown/text.ts'
import type { Piece } from '../pieces.ts'
import { jsonBlock } from './json-block.ts'
import { callIn, isCall, isResult, resultIn } from './wire-envelopes.ts'

const RESULT = /\b(results?|responses?|returns?|returned|outputs?|answers?|success|failure|replies|reply|gives)\b/i
const CALL = /\b(calls?|requests?|inputs?|arguments?|invocations?|invoke|parameters?|params)\b/i
const FORM_ONLY =
  /\b(its form|form only|shape|abridged|abbreviated|truncated|illustrative)\b|\bvalues? (?:\w+ )?(?:differs?|vary|varies)\b/i

/** The block below it is not the arguments. */
const RESPONSE = /\b(?:results?|responses?|returns?|outputs?|answers?|reply)\b/i
/** Headings that always start something new; `render` writes the last one. */
const OF_ITS_OWN = /^(?:usage )?example\s*\d|^any failure$/i

export function examplesIn(pieces: readonly Piece[], lines: Lines): DocumentExample[] {
  const reader = new ExampleReader(lines)
  for (const node of nodesOfType(nodesOf(pieces), 'heading', 'paragraph', 'code')) reader.read(node)
  return reader.examples
}

interface Title {
  readonly title: string | undefined
  readonly place: TextLocation
}

type Mutable = { -readonly [K in keyof DocumentExample]: DocumentExample[K] } & { otherResults: JsonBlock[] }

class ExampleReader {
  readonly examples: Mutable[] = []
  private readonly lines: Lines
  private title: Title | undefined
  /** the example whose result may follow */
  private open: Mutable | undefined
  /** a bare block that comes next may well be arguments, as a heading stands between it and the call before */
  private mayBeCall = false
  /** what was said since the last block */
  private said = ''

  constructor(lines: Lines) {
    this.lines = lines
  }

  read(node: Heading | Paragraph | Code): void {
    if (node.type === 'heading') this.begin(node)
    else if (node.type === 'paragraph') this.paragraph(node)
    else if (isJson(node)) this.block(jsonBlock(node, this.lines))
  }

  private begin(node: Heading): void {
    this.title = { title: this.titleOf(node), place: locationOf(node) }
    const words = wordsOf(node.children)
    // `#### Success response` still belongs to the call above it; `#### Example 2: Failure` does not.
    if (!RESULT.test(words) || CALL.test(words) || OF_ITS_OWN.test(words)) this.open = undefined
    this.mayBeCall = !RESPONSE.test(words)
    this.said = ''
  }

  private titleOf(node: Heading): string | undefined {
    const [first, last] = [node.children[0], node.children.at(-1)]
    if (first === undefined || last === undefined) return undefined
    const [from, to] = [startOffset(first), endOffset(last)]
    const lead = /^(?:usage )?example(?: \d+)?[ \t]*(?:[:.–—-][ \t]*|$)|^\d+[.)][ \t]+/i.exec(
      this.lines.text.slice(from, to),
    )
    const title = readInline(inlineBetween(this.lines, from + (lead?.[0].length ?? 0), to), this.lines.text)
    return title === '' ? undefined : title
  }

  private paragraph(node: Paragraph): void {
    const words = wordsOf(node.children)
    const label = node.children.length <= 2 && node.children[0]?.type === 'strong' ? words.replace(/[\s:]+$/, '') : ''
    if (/^example\b/i.test(label)) {
      this.title = {
        title: label.replace(/^example(?:\s+\d+)?\s*[:.–—-]?\s*/i, '') || undefined,
        place: locationOf(node),
      }
      // `**Example result**:` still belongs to the call above it.
      if (!RESULT.test(label)) this.open = undefined
    }
    this.said += `${words}\n`
  }

  private block(block: JsonBlock): void {
    const said = this.said
    this.said = ''
    if (this.isResult(block, said)) this.result(block, said)
    else this.call(block)
  }

  private isResult({ value }: JsonBlock, said: string): boolean {
    if (isCall(value)) return false
    if (isResult(value)) return true
    // The last words before a block are those about it.
    const last = said.trim().split('\n').at(-1) ?? ''
    const [result, call] = [RESULT.test(last), CALL.test(last)]
    if (result !== call) return result
    if (this.mayBeCall) return false
    return this.open !== undefined && this.open.result === undefined && isObject(this.open.call.value)
  }

  private call(block: JsonBlock): void {
    const call = callIn(block)
    const place = this.title?.place ?? call.location
    this.open = {
      location: place,
      title: this.title?.title,
      call,
      result: undefined,
      otherResults: [],
      formOnly: false,
      shortened: false,
    }
    this.examples.push(this.open)
    this.title = undefined
    this.mayBeCall = false
  }

  private result(block: JsonBlock, said: string): void {
    this.title = undefined
    // A result without a call shows what can come back; it is no example.
    if (this.open === undefined) return
    if (this.open.result !== undefined) {
      this.open.otherResults.push(resultIn(block))
      return
    }
    this.open.result = resultIn(block)
    this.open.formOnly = FORM_ONLY.test(said)
    this.open.shortened = /\bshortened\b/i.test(said)
  }
}
