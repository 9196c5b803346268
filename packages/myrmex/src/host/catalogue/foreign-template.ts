/**
 * A URI template of an upstream, of any form that RFC 6570 knows: which URIs are meant by it, and what its variables are called. What
 * a variable stands for is for the upstream to find out. Without regular expressions made of it: a stranger wrote it.
 */
import type { UriTemplate } from '../../tool/uri-template.ts'

/** A literal text and the expressions that follow it, up to the next one. */
interface Piece {
  readonly literal: string
  readonly expressions: string[]
}

export function foreignTemplate(text: string): UriTemplate {
  const pieces: Piece[] = []
  for (const [index, part] of text.split(/\{([^{}]*)\}/).entries()) {
    if (index % 2 === 1) pieces.at(-1)?.expressions.push(part)
    else if (part !== '' || index === 0) pieces.push({ literal: part, expressions: [] })
  }
  const variables = pieces.flatMap(({ expressions }) => expressions.flatMap(variablesOf))
  return Object.freeze({
    text,
    variables: Object.freeze(variables),
    match: (uri: string) => (fits(uri, pieces) ? {} : undefined),
  })
}

const variablesOf = (expression: string): string[] =>
  expression
    .replace(/^[+#./;?&]/, '')
    .split(',')
    .map((name) => name.replace(/(\*|:\d+)$/, ''))

/** Literals in their order, the first at the beginning and the last at the end, with as little between them as there can be. */
function fits(uri: string, pieces: readonly Piece[]): boolean {
  let at = 0
  for (const [index, { literal, expressions }] of pieces.entries()) {
    if (!uri.startsWith(literal, at)) return false
    at += literal.length
    if (expressions.length === 0) continue
    const next = pieces[index + 1]
    const isLast = next === undefined || (index + 2 === pieces.length && next.expressions.length === 0)
    const end = isLast ? uri.length - (next?.literal.length ?? 0) : uri.indexOf(next.literal, at)
    if (end < at || !isValue(uri.slice(at, end), expressions)) return false
    at = end
  }
  return at === uri.length
}

/** Whether a part of a URI can stand for these, one behind the other. */
function isValue(value: string, expressions: readonly string[]): boolean {
  const operators = expressions.map((expression) => (/^[+#./;?&]/.test(expression) ? expression[0] : ''))
  const path = operators.some((one) => one === '?' || one === '&' || one === '#') ? value.split(/[?#]/, 1)[0] : value
  if (operators.includes('+')) return value !== ''
  if (operators[0] === '' && path === '') return false
  return operators.includes('/') || !/[/?#]/.test(path ?? '')
}
