/** The formats that our validator asserts, tested by its own functions. Unknown formats are annotations. */
import { createRequire } from 'node:module'

type Test = RegExp | ((text: never) => boolean)
type Definition = true | Test | { readonly type?: string; readonly validate: Test }

let known: Readonly<Record<string, Definition>> | undefined

function definitions(): Readonly<Record<string, Definition>> {
  if (known === undefined) {
    const require = createRequire(import.meta.url)
    known = (require('ajv-formats/dist/formats.js') as { fullFormats: Record<string, Definition> }).fullFormats
  }
  return known
}

const definitionOf = (format: string): Definition | undefined =>
  Object.hasOwn(definitions(), format) ? definitions()[format] : undefined

/** Known formats that reject nothing. */
const IDLE = new Set(['float', 'double', 'password', 'binary'])

export const isAssertedFormat = (format: string): boolean => definitionOf(format) !== undefined && !IDLE.has(format)

/** The type that a format applies to. */
export function formatType(format: string): 'string' | 'number' | undefined {
  if (!isAssertedFormat(format)) return undefined
  return format === 'int32' || format === 'int64' ? 'number' : 'string'
}

/** Some of the validator's functions are slow on long texts. */
const MAX_LENGTH = 2_000

/** Undefined if the text is too long to be tested. */
export function fitsFormat(format: string, value: string | number): boolean | undefined {
  const definition = definitionOf(format)
  if (definition === undefined || definition === true || formatType(format) !== typeof value) return true
  if (typeof value === 'string' && value.length > MAX_LENGTH) return undefined
  const test = typeof definition === 'object' && 'validate' in definition ? definition.validate : definition
  return test instanceof RegExp ? test.test(String(value)) : test(value as never)
}

/** A few values of each format, common ones first, then edge cases. */
export const FORMAT_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-01-31', '1999-12-01', '2024-02-29', '0000-01-01'],
  time: ['12:30:00Z', '23:59:60Z', '10:00:00+02:00', '01:02:03.5z'],
  'date-time': [
    '2024-01-31T12:30:00Z',
    '2024-01-31T12:30:00+02:00',
    '2024-01-31 12:30:00.123z',
    '2016-12-31T23:59:60Z',
  ],
  'iso-time': ['12:30:00', '12:30:00Z'],
  'iso-date-time': ['2024-01-31T12:30:00', '2024-01-31T12:30:00Z'],
  duration: ['P1D', 'PT5M', 'P2W', 'P1Y2M3DT4H5M6S'],
  uri: ['https://example.com', 'urn:a:b', 'http://a/', 'mailto:a@b.c'],
  'uri-reference': ['/a', 'https://example.com', '', '#a'],
  'uri-template': ['/a/{b}', 'https://example.com/{id}', ''],
  url: ['https://example.com', 'http://a.bc:80/d', 'ftp://a.bc'],
  email: ['a@example.com', 'a.b+c@d.org', "o'neill#x@a-b.io", 'a@b.c1'],
  hostname: ['example.com', 'a', 'a.b.c', '1.2'],
  ipv4: ['127.0.0.1', '0.0.0.0', '255.255.255.255'],
  ipv6: ['::1', '2001:db8::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'],
  regex: ['a', '', '^a+$'],
  uuid: [
    '123e4567-e89b-42d3-a456-426614174000',
    '00000000-0000-0000-0000-000000000001',
    'urn:uuid:123e4567-e89b-12d3-a456-426614174000',
  ],
  'json-pointer': ['/a', '', '/a/0'],
  'json-pointer-uri-fragment': ['#/a', '#'],
  'relative-json-pointer': ['0', '1/a', '0#'],
  byte: ['YQ==', '', 'YWJj'],
}

/** The shortest and the longest text of a format, in characters, if known. */
export const FORMAT_LENGTHS: Readonly<Record<string, readonly [number, number]>> = {
  date: [10, 10],
  time: [9, Number.POSITIVE_INFINITY],
  'date-time': [20, Number.POSITIVE_INFINITY],
  email: [5, Number.POSITIVE_INFINITY],
  ipv4: [7, 15],
  uuid: [36, 45],
}
