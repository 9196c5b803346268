/** What the implementation of a keyword gets, and the checks of keyword values that all of them share. */
import { isObject, type JsonObject } from '../json.ts'
import type { Check, Evaluation } from './evaluation.ts'
import { badSchema } from './schema-document.ts'

export interface KeywordContext {
  readonly schema: Readonly<Record<string, unknown>>
  readonly draft07: boolean
  /** fill in defaults, and do not require what has one */
  readonly isInput: boolean
  readonly checksFormats: boolean
  /** compiles a schema for the same value */
  same(schema: unknown, keyword: string): Check
  /** compiles a schema for a member of the value */
  member(schema: unknown, keyword: string): Check
  /** the schema that a reference names, compiled */
  reference(reference: string): Check
  pattern(source: string): (text: string, run: Evaluation) => boolean
}

/** The check of a keyword's value; undefined if it rejects nothing. */
export type Keyword = (value: unknown, context: KeywordContext) => Check | undefined

export type KeywordTable = Readonly<Record<string, Keyword>>

const invalid = (keyword: string, value: unknown): never => {
  throw badSchema(
    `has the keyword ${keyword} with the value ${(JSON.stringify(value) ?? '').slice(0, 100)}, which is invalid`,
  )
}

export const asNumber = (value: unknown, keyword: string): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : invalid(keyword, value)

export const asCount = (value: unknown, keyword: string): number =>
  Number.isInteger(value) && (value as number) >= 0 ? (value as number) : invalid(keyword, value)

export const asText = (value: unknown, keyword: string): string =>
  typeof value === 'string' ? value : invalid(keyword, value)

export const asFlag = (value: unknown, keyword: string): boolean =>
  typeof value === 'boolean' ? value : invalid(keyword, value)

export const asList = (value: unknown, keyword: string): readonly unknown[] =>
  Array.isArray(value) && value.length > 0 ? value : invalid(keyword, value)

export const asTexts = (value: unknown, keyword: string): readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : invalid(keyword, value)

export const asMap = (value: unknown, keyword: string): JsonObject =>
  isObject(value) ? (value as JsonObject) : invalid(keyword, value)
