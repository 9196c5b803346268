/** Checks the texts of a tool: no invisible characters, no encoded text, no orders to the model. */
import { clip } from '../../protocol/text.ts'
import {
  codePointName,
  escapeHidden,
  type HiddenCharacter,
  hiddenIn,
  spelledByHidden,
} from '../text/hidden-characters.ts'
import { type VisibleText, visibleTexts } from './definition-texts.ts'
import type { VerifyFinding } from './finding.ts'
import { findInstructions } from './instructions.ts'
import { mixedWords } from './lookalikes.ts'

export const verifyTexts = (body: object): VerifyFinding[] => visibleTexts(body).flatMap(verifyText)

export const verifyText = (text: VisibleText): VerifyFinding[] => [
  ...hidden(text),
  ...mixed(text),
  ...instructions(text),
  ...encoded(text),
  ...comments(text),
]

function hidden({ where, text }: VisibleText): VerifyFinding[] {
  const found = hiddenIn(text)
  if (found.length === 0) return []
  const says = spelledByHidden(found)
  const message =
    `${found.length === 1 ? 'a character' : `${found.length} characters`} that nobody sees: ${named(found)}` +
    `${says === undefined ? '' : `; together they spell “${clipped(says)}”`}. Take ${found.length === 1 ? 'it' : 'them'} out.`
  return [{ rule: 'hidden-characters', severity: 'error', where, message }]
}

/** The first few, by kind and number. */
function named(found: readonly HiddenCharacter[]): string {
  const names = new Set(found.map(({ kind, character }) => `${kind} ${codePointName(character)}`))
  const first = [...names].slice(0, 3).join(', ')
  return names.size > 3 ? `${first} and others` : first
}

function mixed({ where, text }: VisibleText): VerifyFinding[] {
  const [word] = mixedWords(text)
  if (word === undefined) return []
  const foreign = [...word].filter((letter) => !/[\p{Script=Latin}\p{M}\p{N}]/u.test(letter)).map(codePointName)
  const message = `“${escapeHidden(word)}” mixes Latin letters with such as only look like them (${foreign.join(', ')}).`
  return [{ rule: 'mixed-scripts', severity: 'warning', where, message }]
}

/** An example may well show such a text, for a tool that looks for them. */
function instructions({ where, text, kind }: VisibleText): VerifyFinding[] {
  return findInstructions(kind === 'data' ? inWords(text) : text).map(({ rule, what, words }) => ({
    rule,
    severity: kind === 'example' ? 'warning' : 'error',
    where,
    message: `${what}: “${escapeHidden(words)}”. A description says what the tool does.`,
  }))
}

/** A model reads a name as words. */
const inWords = (name: string): string => (/\s/.test(name) ? name : name.replaceAll(/[_-]+/g, ' '))

function encoded({ where, text, kind }: VisibleText): VerifyFinding[] {
  if (kind !== 'prose') return []
  return decodedTexts(text).map((says) => ({
    rule: 'encoded-text',
    severity: 'error' as const,
    where,
    message: `text wrapped in digits or base64, which says “${clipped(escapeHidden(says))}”. Write it out.`,
  }))
}

function comments({ where, text, kind }: VisibleText): VerifyFinding[] {
  const start = kind === 'prose' ? text.indexOf('<!--') : -1
  if (start === -1) return []
  const end = text.indexOf('-->', start)
  const comment = text.slice(start, end === -1 ? undefined : end + 3)
  const message = `a comment that a page would not show: “${clipped(escapeHidden(comment))}”.`
  return [{ rule: 'hidden-comment', severity: 'warning', where, message }]
}

const MAX_LENGTH = 80
const clipped = (text: string): string => clip(text, MAX_LENGTH)

/** Long enough to say something; shorter runs are ids and names. */
const BASE64 = /[A-Za-z0-9+/_-]{32,}={0,2}/g
const HEX = /(?:[0-9a-fA-F]{2}){20,}/g

/** The texts that are encoded in a text. Hashes, keys and images do not decode to words. */
function decodedTexts(text: string): string[] {
  // A path or a long name has one case, or no digits to speak of; its bytes come out as noise anyway.
  const base64 = (text.match(BASE64) ?? []).filter((run) => /[a-z]/.test(run) && /[A-Z]/.test(run))
  const decoded = [
    ...(text.match(HEX) ?? []).map((run) => Buffer.from(run, 'hex').toString()),
    ...base64.map((run) => Buffer.from(run, 'base64').toString()),
  ]
  return decoded.filter(isReadable)
}

const isReadable = (text: string): boolean =>
  /^[\p{L}\p{M}\p{N}\p{P}\p{S}\s]+$/u.test(text) && !text.includes('\ufffd') && / \S/.test(text)
