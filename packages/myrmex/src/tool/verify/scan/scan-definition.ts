/**
 * Scans everything that a model reads of a definition, and grades it. Each signal has a weight. Weights of different rules add up, so
 * that several weak signals need a person's look and a strong one blocks. Time is linear in the size of the definition, which is bounded.
 */
import { isObject } from '../../../protocol/json.ts'
import { MAX_TEXTS, type VisibleText, visibleTexts } from '../definition-texts.ts'
import type { FindingGrade, VerifyFinding } from '../finding.ts'
import { KnownNames, type ScanContext } from './context.ts'
import { BLOCK_WEIGHT, WARN_WEIGHT } from './family.ts'
import { imitationSignals, isPureTask, nameWords, purposeSignals } from './purpose.ts'
import { MAX_TEXT_LENGTH, scanText, type TextOptions } from './scan-text.ts'
import type { Signal } from './signal.ts'

/** Characters of one definition that are scanned, over all its texts. */
const MAX_DEFINITION_LENGTH = 128_000
const MAX_FINDINGS = 100
const BY_WORDS = 'reads-like-an-attack'
/** To block, rules must contribute at least this much: the word weights often see what a rule has seen already. */
const MIN_RULED_BLOCK = 10

interface LocatedSignal extends Signal {
  readonly where: string
}

const gradeOf = (weight: number): FindingGrade =>
  weight >= BLOCK_WEIGHT ? 'block' : weight >= WARN_WEIGHT ? 'warn' : 'note'

/** `body` is a tool, a prompt, a resource, or `{ description }` for any other text. */
export const scanDefinition = (body: object, context: ScanContext = {}): VerifyFinding[] =>
  findingsFrom(signalsOf(body, context).filter(({ rule }) => !(context.rulesOnly && rule === BY_WORDS)))

/** Texts that are no definition, such as results. Only rules apply: the word weights were learned from definitions. */
export const scanTexts = (texts: readonly VisibleText[]): VerifyFinding[] =>
  findingsFrom(textSignals(texts, new KnownNames({}), { isPure: false, about: new Set(), isDefinition: false }))

function findingsFrom(signals: readonly LocatedSignal[]): VerifyFinding[] {
  const best = new Map<string, LocatedSignal>()
  for (const signal of signals) {
    if (signal.isMention) continue
    const known = best.get(signal.rule)
    if (known === undefined || known.weight < signal.weight) best.set(signal.rule, signal)
  }
  const findings = [...signals]
    .sort((a, b) => b.weight - a.weight || b.quote.length - a.quote.length)
    .filter((signal) => signal.isMention || signal.weight >= WARN_WEIGHT || best.get(signal.rule) === signal)
    .map(({ rule, weight, where, message, quote, isMention }): VerifyFinding => {
      const grade = isMention ? 'note' : gradeOf(weight)
      return { rule, grade, where, message: isMention ? `${message} It is quoted or reported.` : message, quote }
    })
  const combined = combine([...best.values()])
  return [...(combined === undefined ? [] : [combined]), ...strongestPerPlace(findings)].slice(0, MAX_FINDINGS)
}

/** Several signals of different rules weigh more than each alone. */
function combine(best: readonly LocatedSignal[]): VerifyFinding | undefined {
  const strongest = Math.max(0, ...best.map(({ weight }) => weight))
  const total = best.reduce((sum, { weight }) => sum + weight, 0)
  const ruled = best.reduce((sum, { rule, weight }) => sum + (rule === BY_WORDS ? 0 : weight), 0)
  const grade = ruled < MIN_RULED_BLOCK ? gradeOf(Math.min(total, BLOCK_WEIGHT - 1)) : gradeOf(total)
  if (grade === gradeOf(strongest)) return undefined
  const rules = best.map(({ rule }) => rule).sort()
  const message = `${best.length} signals together: ${rules.join(', ')}. Each may be harmless alone.`
  return { rule: 'combined-signals', grade, where: '', message, quote: best[0]?.quote ?? '' }
}

const RANK: Readonly<Record<FindingGrade, number>> = { block: 0, warn: 1, note: 2 }

/** One finding per rule and place, strongest first. What a rule says about a text need not be said again by its words. */
function strongestPerPlace(findings: readonly VerifyFinding[]): VerifyFinding[] {
  const known = new Set<string>()
  const explained = new Set(
    findings.filter(({ rule, grade }) => rule !== BY_WORDS && grade !== 'note').map(({ where }) => where),
  )
  return [...findings]
    .filter(({ rule, where, grade }) => rule !== BY_WORDS || (grade !== 'note' && !explained.has(where)))
    .sort((a, b) => RANK[a.grade] - RANK[b.grade])
    .filter(({ rule, where }) => {
      const key = `${rule} ${where}`
      return known.has(key) ? false : known.add(key)
    })
}

function signalsOf(body: object, context: ScanContext): LocatedSignal[] {
  const { name, description, inputSchema } = body as { name?: unknown; description?: unknown; inputSchema?: unknown }
  const toolName = typeof name === 'string' ? name : undefined
  const names = new KnownNames(context, toolName, schemaNames(inputSchema))
  const isPure = toolName !== undefined && isPureTask(toolName)
  const signals = textSignals(visibleTexts(body), names, { isPure, about: nameWords(toolName), isDefinition: true })
  if (toolName !== undefined) {
    const says = typeof description === 'string' ? description : ''
    for (const signal of purposeSignals(toolName, says, inputSchema))
      signals.push({ ...signal, where: '/inputSchema/properties' })
    for (const signal of imitationSignals(toolName, says, names.others)) signals.push({ ...signal, where: '/name' })
  }
  return signals
}

function textSignals(
  all: readonly VisibleText[],
  names: KnownNames,
  tool: Pick<TextOptions, 'isPure' | 'about' | 'isDefinition'>,
): LocatedSignal[] {
  const signals: LocatedSignal[] = []
  const { texts, isWhole } = bounded(all)
  const known = new Map<string, readonly Signal[]>()
  for (const { where, text, kind } of texts) {
    const isMain = !where.startsWith('/inputSchema') && !where.startsWith('/outputSchema')
    const key = `${kind} ${isMain} ${text}`
    const found = known.get(key) ?? scanText(text, { kind, names, isMain, ...tool })
    known.set(key, found)
    for (const signal of found) signals.push({ ...signal, where })
  }
  if (!isWhole) {
    const message = `the definition has more text than is scanned (${MAX_DEFINITION_LENGTH} characters). Nobody reads that much.`
    signals.push({ rule: 'too-long', weight: WARN_WEIGHT, message, quote: '', where: '' })
  }
  return signals
}

const MAX_NAMES = 2000

/** Names of parameters and allowed values: a text that uses them speaks about the tool itself. */
function schemaNames(schema: unknown): string[] {
  const found: string[] = []
  const open: unknown[] = [schema]
  for (let node = open.pop(); node !== undefined && found.length < MAX_NAMES; node = open.pop()) {
    if (!isObject(node) && !Array.isArray(node)) continue
    for (const [key, child] of Object.entries(node)) {
      if (key === 'properties' && isObject(child)) found.push(...Object.keys(child).slice(0, MAX_NAMES))
      if (key === 'enum' && Array.isArray(child))
        found.push(...child.filter((one) => typeof one === 'string').slice(0, MAX_NAMES))
      if (typeof child === 'object' && child !== null && open.length < MAX_NAMES) open.push(child)
    }
  }
  return found
}

function bounded(texts: readonly VisibleText[]): { texts: readonly VisibleText[]; isWhole: boolean } {
  let left = MAX_DEFINITION_LENGTH
  const end = texts.findIndex(({ text }) => {
    left -= Math.min(text.length, MAX_TEXT_LENGTH)
    return left < 0
  })
  return end === -1 ? { texts, isWhole: texts.length < MAX_TEXTS } : { texts: texts.slice(0, end), isWhole: false }
}
