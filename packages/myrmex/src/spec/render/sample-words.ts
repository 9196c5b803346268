/** Plausible values by format and by the name of a field, for samples. The same field always gets the same value. */

export const SAMPLE_UUID = '123e4567-e89b-42d3-a456-426614174000'
export const SAMPLE_TIME = '2026-01-31T12:00:00Z'
export const SAMPLE_DAY = '2026-01-31'

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': SAMPLE_TIME,
  date: SAMPLE_DAY,
  time: '12:00:00Z',
  duration: 'PT1H30M',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/path',
  iri: 'https://example.com/',
  uuid: SAMPLE_UUID,
  base64: 'c2FtcGxl',
  'json-pointer': '/path',
  regex: '^[a-z]+$',
}

export const wordForFormat = (format: unknown): string | undefined =>
  typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined

/** The first that matches the name, written `like_this`, counts. */
const TEXTS: readonly (readonly [RegExp, string | ((name: string) => string)])[] = [
  [/(^|_)(uuid|guid)$/, SAMPLE_UUID],
  [/(^|_)e?mail(_address)?$/, 'ada@example.com'],
  [/(^|_)(url|uri|link|href|website|homepage)$/, 'https://example.com/'],
  [/(^|_)(sku|article_number)$/, 'chair-red'],
  [/(^|_)id$/, (name) => `${name.replace(/_?id$/, '') || 'id'}_1`],
  [/(^|_)(at|timestamp|datetime)$/, SAMPLE_TIME],
  [/(^|_)(on|date|day|birthday|until|since)$/, SAMPLE_DAY],
  [/(^|_)time$/, '12:00:00'],
  [/(^|_)month$/, '2026-01'],
  [/(^|_)currency(_code)?$/, 'EUR'],
  [/(^|_)country(_code)?$/, 'DE'],
  [/(^|_)city$/, 'Berlin'],
  [/(^|_)street(_address)?$/, '1 Main Street'],
  [/(^|_)(postal_code|postcode|zip(_code)?)$/, '10115'],
  [/(^|_)(lang|language|locale)$/, 'en'],
  [/(^|_)phone(_number)?$/, '+49 30 123456'],
  [/(^|_)(version)$/, '1.0.0'],
  [/(^|_)(encoding(_used)?|charset)$/, 'utf-8'],
  [/(^|_)(mime_type|media_type|content_type)$/, 'text/plain'],
  [/(^|_)(file_?name|filename|file)$/, 'file.txt'],
  [/(^|_)(path)$/, 'path/to/file.txt'],
  [/(^|_)(folder|directory)$/, 'path/to/folder'],
  [/(^|_)(hash|digest|checksum|sha256)$/, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [/(^|_)(status|state)$/, 'ok'],
  [/(^|_)tracking(_number)?$/, 'RX000000001DE'],
]

export function wordForName(name: string): string {
  const snake = snakeCase(name)
  const found = TEXTS.find(([pattern]) => pattern.test(snake))?.[1]
  if (found !== undefined) return typeof found === 'string' ? found : found(snake)
  return snake === '' ? 'sample' : `Sample ${snake.replaceAll('_', ' ')}`
}

const NUMBERS: readonly (readonly [RegExp, number])[] = [
  [/(^|_)(price|amount|total|cost|fee|revenue|profit|margin|budget|spend|spent|balance|tax|discount)$/, 19.99],
  [/(^|_)(latitude|lat)$/, 52.52],
  [/(^|_)(longitude|lon|lng)$/, 13.405],
  [/(^|_)(percent|percentage|pct)$/, 12.5],
  [/(^|_)(confidence|probability|likelihood|score|ratio|share|fraction|rate)$/, 0.8],
  [/(^|_)year$/, 2026],
  [/(^|_)(ms|millis|milliseconds|duration|elapsed)$/, 1500],
  [/(^|_)(bytes|size)$/, 1024],
  [/(^|_)port$/, 8080],
  [/(^|_)(temperature)$/, 21.5],
  [/(^|_)(page|index|position|rank|version)$/, 1],
  [/(^|_)limit$/, 10],
]

export const numberForName = (name: string): number => {
  const snake = snakeCase(name)
  return NUMBERS.find(([pattern]) => pattern.test(snake))?.[1] ?? 3
}

/** `orderId`, `Order ID` and `order-id` are `order_id`. */
const snakeCase = (name: string): string =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()

/** The name of one element of a list: `products` is a list of `product`. */
export const singular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$/, '')
    .replace(/(?<![su])s$/, '')
