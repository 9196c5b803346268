/** Plain JSON Schema, 2020-12 unless it says draft-07, through Ajv. */
import { createRequire } from 'node:module'
import { ToolError } from './errors.ts'
import { describe } from './issue.ts'
import type { JsonObject } from './json.ts'
import type { Schema } from './schema.ts'
import { secretNames } from './secret.ts'

type AjvIssue = { instancePath: string; keyword: string; params: Record<string, unknown>; message?: string }
type AjvCheck = ((value: unknown) => boolean) & { errors?: AjvIssue[] | null }

/** Ajv is loaded and a schema compiled on first use: a thousand schemas at start would cost a second or two. */
export function fromJsonSchema(source: JsonObject, side: 'input' | 'output'): Schema {
  const secrets = secretNames(source)
  let check: AjvCheck | undefined
  const fills = side === 'input' && JSON.stringify(source).includes('"default"')
  return {
    json: source,
    judges: 'json',
    secrets,
    parse(value) {
      check ??= compileAjv(source, side)
      // Ajv writes defaults into what it checks, and that belongs to the caller.
      const own = fills ? structuredClone(value) : value
      if (check(own)) return { success: true, data: own }
      const issues = (check.errors ?? []).map((error) => {
        const path = error.instancePath.split('/').slice(1).map(unescapePointer)
        if (error.keyword === 'required') path.push(String(error.params.missingProperty))
        const message = error.message ?? error.keyword
        return describe(path, `${error.keyword} ${JSON.stringify(error.params)}`, message, value, secrets)
      })
      return { success: false, issues }
    },
  }
}

const JSON_SCHEMA_2020 = 'https://json-schema.org/draft/2020-12/schema'
const DIALECTS: Record<string, string> = {
  [JSON_SCHEMA_2020]: 'ajv/dist/2020.js',
  'http://json-schema.org/draft-07/schema': 'ajv',
}

const unescapePointer = (text: string): string => text.replaceAll('~1', '/').replaceAll('~0', '~')

function compileAjv(source: JsonObject, side: string): AjvCheck {
  const require = createRequire(import.meta.url)
  const addFormats = require('ajv-formats') as { default: (ajv: object) => void }
  const dialect = typeof source.$schema === 'string' ? source.$schema.replace(/#$/, '') : JSON_SCHEMA_2020
  const file = DIALECTS[dialect]
  if (file === undefined) {
    const known = Object.keys(DIALECTS).join(', ')
    throw new ToolError('RegistrationError', `the ${side} schema is in dialect ${dialect}; supported are ${known}`)
  }
  const { default: Ajv } = require(file) as typeof import('ajv')
  // No schema is ever fetched: loadSchema is absent, so a $ref to the network fails to compile.
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: true, useDefaults: side === 'input' })
  addFormats.default(ajv)
  try {
    return ajv.compile(source as object) as unknown as AjvCheck
  } catch (error) {
    throw new ToolError('RegistrationError', `the ${side} schema does not compile: ${(error as Error).message}`)
  }
}
