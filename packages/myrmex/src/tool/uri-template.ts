/**
 * URI templates (RFC 6570): whether a URI could have been made from a template, and which values it has. Own templates use `{name}` for
 * one path segment and `{+name}` for several. Templates of other servers may use every operator, and no template or URI can make
 * matching slow.
 */
import { ToolError } from '../protocol/errors.ts'
import { compilePattern, type LinearPattern, linearPattern, type SpendSteps } from '../protocol/linear-pattern.ts'
import { canonicalTemplate } from './canonical-uri.ts'

export interface UriTemplate {
  readonly text: string
  readonly variables: readonly string[]
  /**
   * Returns the variables of a matching URI, percent-decoded; undefined if it does not match. `spend` gets the steps that this takes, and
   * may throw to stop.
   */
  match(uri: string, spend?: SpendSteps): Record<string, string> | undefined
}

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g

/** The text that an expression can stand for, by its operator. */
const PATTERNS: Readonly<Record<string, string>> = {
  '': '([^/?#]+)',
  '+': '(.+?)',
  '#': '(#.*)?',
  '.': '(\\.[^/?#]*)?',
  '/': '(/[^?#]*)?',
  ';': '(;[^/?#]*)?',
  '?': '(\\?[^#]*)?',
  '&': '(&[^#]*)?',
}

interface ParsedTemplate {
  /** the literal text before the first expression */
  readonly prefix: string
  /** the literal text after the last expression */
  readonly suffix: string
  readonly pattern: string
  readonly variables: string[]
}

function parse(text: string): ParsedTemplate {
  const variables: string[] = []
  let pattern = ''
  let end = 0
  for (const { 0: expression, 1: operator = '', 2: names = '', index } of text.matchAll(EXPRESSION)) {
    pattern += RegExp.escape(text.slice(end, index)) + PATTERNS[operator]
    variables.push(...names.split(',').map((name) => name.replace(/(\*|:\d+)$/, '')))
    end = index + expression.length
  }
  const prefix = text.slice(0, text.search(/\{|$/))
  const suffix = text.slice(end)
  return { prefix, suffix, pattern: `^${pattern}${RegExp.escape(suffix)}$`, variables }
}

/** The engine of JavaScript is faster, and cannot be slow on so few characters. */
const SHORT_URI = 128

/** A template of our own. Throws RegistrationError if it has anything but `{name}` and `{+name}`. */
export function compileTemplate(text: string): UriTemplate {
  const { pattern, variables } = parse(text)
  const rest = text.replaceAll(/\{\+?[A-Za-z0-9_]+\}/g, '')
  if (variables.length === 0 || /[{}]/.test(rest)) {
    throw ToolError.of(
      'RegistrationError',
      `${JSON.stringify(text)} is not a URI template with {name} or {+name} in it`,
    )
  }
  const expression = new RegExp(pattern)
  let matches: ((uri: string) => boolean) | undefined
  return Object.freeze({
    text,
    variables: Object.freeze(variables),
    match(uri: string) {
      // A URI of a caller that does not match could be divided among the variables in very many ways.
      if (uri.length > SHORT_URI) {
        matches ??= linearPattern(pattern)
        if (!matches(uri)) return undefined
      }
      const values = expression.exec(uri)
      if (values === null) return undefined
      try {
        return Object.fromEntries(variables.map((name, i) => [name, decodeURIComponent(values[i + 1] as string)]))
      } catch {
        return undefined // a stray % is not valid in a URI
      }
    },
  })
}

/** Limits for templates of other servers, because matching takes time in proportion to both. */
const MAX_EXPRESSIONS = 20
const MAX_TEMPLATE_LENGTH = 1000
/** Longer URIs match no template of another server. */
const MAX_URI_LENGTH = 2048
/** Compiling a character of a pattern takes about as long as this many steps of matching. */
const STEPS_PER_CHARACTER = 20

/** Why a template of another server cannot be used; undefined if it can. */
export function templateProblem(text: string): string | undefined {
  if (text.length > MAX_TEMPLATE_LENGTH) return `it has more than ${MAX_TEMPLATE_LENGTH} characters`
  return text.split('{').length - 1 > MAX_EXPRESSIONS ? `it has more than ${MAX_EXPRESSIONS} expressions` : undefined
}

/** A template of another server, which finds the values of its variables itself. URIs must be canonical. */
export function foreignTemplate(text: string): UriTemplate {
  const { prefix, suffix, pattern } = parse(canonicalTemplate(text))
  let compiled: LinearPattern | undefined
  return Object.freeze({
    text,
    variables: Object.freeze(parse(text).variables),
    match(uri: string, spend: SpendSteps = noLimit) {
      // A server may have thousands of templates, and this rules out most of them.
      if (!uri.startsWith(prefix) || !uri.endsWith(suffix) || uri.length > MAX_URI_LENGTH) return undefined
      if (compiled === undefined) {
        spend(pattern.length * STEPS_PER_CHARACTER)
        compiled = compileForeign(text, pattern)
      }
      return compiled.matches(uri, spend) ? {} : undefined
    },
  })
}

const noLimit = (): void => {}
const NEVER: LinearPattern = { states: 0, matches: () => false }

function compileForeign(text: string, pattern: string): LinearPattern {
  if (templateProblem(text) !== undefined) return NEVER
  try {
    return compilePattern(pattern)
  } catch {
    return NEVER
  }
}
