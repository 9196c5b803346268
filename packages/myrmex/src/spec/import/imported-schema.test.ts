/** The schemas that an import makes of what people write in place of schemas. */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { TimeLimit } from '../lint/time-limit.ts'
import { readDocument } from '../read.ts'
import { importedTool } from './imported-tool.ts'
import { schemaOfType } from './type-schema.ts'

/** The schemas and notes of the only tool of a document. */
function imported(sections: string): { input: JsonObject; output: JsonObject; notes: string[] } {
  const [tool] = readDocument(`# Tools\n\n## \`get_wind\`\n\nTells.\n\n${sections}\n`).tools
  if (tool === undefined) throw new Error('no tool')
  const { body, notes } = importedTool(tool, 'weather', new TimeLimit())
  return { input: body.inputSchema, output: body.outputSchema, notes: notes.all.map(({ message }) => message) }
}

const input = (text: string): JsonObject => imported(`### Parameters\n\n${text}`).input
const output = (text: string): JsonObject => imported(`### Returns\n\n${text}`).output

describe('parameters in a table', () => {
  test('have name, type, default, description, and whether they are required', () => {
    const table = [
      '| Name | Type | Required | Default | Description |',
      '|------|------|----------|---------|-------------|',
      '| `city` | `str` | Yes | — | Where to look |',
      '| `days` | integer | no | `3` | How many |',
      '| `units` | string | No | `"metric"` | Which `units` |',
      '| `raw` | bool | No | `False` | All of it |',
      '| `tags` | list[str] | No | `[]` | Labels |',
      '| `key` | str \\| None | No | None | Key |',
    ].join('\n')
    expect(input(table)).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where to look' },
        days: { type: 'integer', default: 3, description: 'How many' },
        units: { type: 'string', default: 'metric', description: 'Which `units`' },
        raw: { type: 'boolean', default: false, description: 'All of it' },
        tags: { type: 'array', items: { type: 'string' }, default: [], description: 'Labels' },
        key: { type: ['string', 'null'], description: 'Key' },
      },
      required: ['city'],
    })
  })

  test('are nested by their paths, in any order', () => {
    const rows = ['config.timeout', 'config', 'lines[].sku', 'lines[].count'].map(
      (name) => `| \`${name}\` | ${name === 'config' ? 'object' : 'integer'} | Yes | Words |`,
    )
    const words = { description: 'Words' }
    const line = { type: 'integer', ...words }
    expect(input(['| Parameter | Type | Required | Description |', '|-|-|-|-|', ...rows].join('\n'))).toEqual({
      type: 'object',
      properties: {
        config: { type: 'object', ...words, properties: { timeout: line }, required: ['timeout'] },
        lines: {
          type: 'array',
          items: { type: 'object', properties: { sku: line, count: line }, required: ['sku', 'count'] },
        },
      },
      required: ['config'],
    })
  })

  test('have the values, the range and the default that their description gives', () => {
    const said = (type: string, words: string): unknown =>
      (input(`| Parameter | Type | Description |\n|-|-|-|\n| x | ${type} | ${words} |`).properties as JsonObject).x
    expect(said('string', 'One of: `"low"`, `"high"`')).toMatchObject({ enum: ['low', 'high'] })
    expect(said('string', '`DAILY`, `WEEKLY`, or `ALL`')).toMatchObject({ enum: ['DAILY', 'WEEKLY', 'ALL'] })
    expect(said('string', "Mode, one of 'a' or 'b'. Default: a")).toMatchObject({ enum: ['a', 'b'], default: 'a' })
    expect(said('string', 'See `a` and `b`')).toEqual({ type: 'string', description: 'See `a` and `b`' })
    expect(said('integer', 'Pages (1-100)')).toMatchObject({ minimum: 1, maximum: 100 })
    expect(said('float', 'Between 0 and 1, default 0.5')).toMatchObject({ minimum: 0, maximum: 1, default: 0.5 })
    expect(said('int', 'Max 50')).toMatchObject({ maximum: 50 })
    expect(said('integer', 'Rows (default: 20)')).toMatchObject({ default: 20 })
    expect(said('string', 'Path (default: "./out")')).toMatchObject({ default: './out' })
    for (const words of ['A default provider is used', 'Defaults to the current folder', 'Default is `5`'])
      expect(said('boolean', words)).not.toHaveProperty('default')
    expect(said('string', 'Defaults to the current folder')).not.toHaveProperty('default')
  })

  test('may be marked as required in another column, or by a mark at the name', () => {
    expect(
      input('| Parameter | Type | Default |\n|-|-|-|\n| a | int | *required* |\n| b | int | 1 |').required,
    ).toEqual(['a'])
    expect(input('| Parameter | Type |\n|-|-|\n| `a*` | int |\n| `b?` | int |').required).toEqual(['a'])
    expect(input('| Parameter | Type | Optional |\n|-|-|-|\n| a | int | no |\n| b | int | yes |').required).toEqual([
      'a',
    ])
  })

  test('are read although a pipe has torn their cells', () => {
    const row = '| `key` | `str \\ | None` | No Which key |'
    expect(input(`| Parameter | Type | Required | Description |\n|-|-|-|-|\n${row}`).properties).toEqual({
      key: { type: ['string', 'null'], description: 'Which key' },
    })
  })

  test('of a second table are inside of the field that the sentence before it names', () => {
    const first = '| Parameter | Type | Required |\n|-|-|-|\n| `tasks` | array[object] | Yes |'
    const second = '| Field | Type | Required |\n|-|-|-|\n| `id` | string | Yes |'
    expect(input(`${first}\n\nEach task object:\n\n${second}`).properties).toEqual({
      tasks: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
    })
  })
})

describe('parameters', () => {
  test.each([
    ['a list', '- `city` (string, required): Where.\n- `days` (integer, optional, default 3): How many.'],
    ['a list with bold names', '- **city** (string, required): Where.\n- **days** (int, default: 3) - How many.'],
    ['a plain list', '- city (string, required): Where.\n- days (integer, default 3): How many.'],
    [
      'JSON Schema',
      '```json\n{"type": "object", "properties": {"city": {"type": "string", "description": "Where."}, "days": {"type": "integer", "default": 3, "description": "How many."}}, "required": ["city"]}\n```',
    ],
    [
      'bare properties',
      '```json\n{"city": {"type": "string", "description": "Where.", "required": true}, "days": {"type": "integer", "required": false, "default": 3, "description": "How many."}}\n```',
    ],
  ])('are read from %s', (_, text) => {
    expect(input(text)).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where.' },
        days: { type: 'integer', default: 3, description: 'How many.' },
      },
      required: ['city'],
    })
  })

  test.each([
    ['code in a sentence', '**Parameters**: `city: str`, `days: int = 3`'],
    ['a shape', '**Params**: `{ city: string, days?: integer }`'],
  ])('are read from %s', (_, text) => {
    expect(imported(text).input).toMatchObject({
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    })
  })

  test('are read from a signature', () => {
    const [tool] = readDocument(
      '# Tools\n\n### `get_wind(city: str, days: int = 3, *, raw=None) -> dict`\n\nTells.\n',
    ).tools
    const { body } = importedTool(tool as never, 'weather', new TimeLimit())
    expect(body.inputSchema).toEqual({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', default: 3 }, raw: {} },
      required: ['city'],
    })
  })

  test('of a list may be nested', () => {
    const list =
      '- `edits` (array): What to do.\n  - `from` (string, required): Old.\n- `filters` (object, optional): With:\n  - `state` (string, optional): Which.'
    expect(input(list).properties).toEqual({
      edits: {
        type: 'array',
        description: 'What to do.',
        items: { type: 'object', properties: { from: { type: 'string', description: 'Old.' } }, required: ['from'] },
      },
      filters: {
        type: 'object',
        description: 'With:',
        properties: { state: { type: 'string', description: 'Which.' } },
      },
    })
  })

  test('that there are none is known', () => {
    expect(imported('**Parameters**: None').input).toEqual({ type: 'object' })
  })

  test('with a type that is none accept any value, and are reported', () => {
    const { input, notes } = imported(`### Parameters\n\n| Parameter | Type |\n|-|-|\n| a | FooBar |`)
    expect(input.properties).toEqual({ a: { description: '(FooBar)' } })
    expect(notes).toContainEqual(expect.stringContaining('"a" has the type "FooBar"'))
  })
})

describe('results', () => {
  test.each([
    [
      'a table',
      '| Field | Type | Description |\n|-|-|-|\n| `speed` | number | How fast |\n| `unit` | string | Which |',
    ],
    ['a list', '- `speed` (number): How fast\n- `unit` (string): Which'],
  ])('are read from %s', (_, text) => {
    expect(output(text)).toEqual({
      type: 'object',
      properties: {
        speed: { type: 'number', description: 'How fast' },
        unit: { type: 'string', description: 'Which' },
      },
    })
  })

  test.each([
    ['names', '**Returns**: `speed`, `unit` and `gusts`.', { speed: {}, unit: {}, gusts: {} }],
    [
      'a sentence',
      '**Returns**: `dict` — Dictionary with `speed` (float) and `gusts` (list of floats).',
      { speed: { type: 'number' }, gusts: { type: 'array', items: { type: 'number' } } },
    ],
    [
      'a shape',
      '**Returns**: `{status: "ok", speed: <float>, gusts: [{at, speed: int}]}`',
      {
        status: { type: 'string' },
        speed: { type: 'number' },
        gusts: { type: 'array', items: { type: 'object', properties: { at: {}, speed: { type: 'integer' } } } },
      },
    ],
  ])('are read from %s', (_, text, properties) => {
    expect(imported(text).output).toEqual({ type: 'object', properties })
  })

  test('of a sample are optional, and reported', () => {
    const { output, notes } = imported(
      '**Returns**:\n\n```json\n{"speed": 3, "gusts": [{"at": "noon"}], "error": null}\n```',
    )
    expect(output).toEqual({
      type: 'object',
      properties: {
        speed: { type: 'number' },
        gusts: { type: 'array', items: { type: 'object', properties: { at: { type: 'string' } } } },
        error: {},
      },
    })
    expect(notes).toEqual([expect.stringContaining('has no schema')])
  })

  test('that are only described keep their description', () => {
    const { output, notes } = imported('**Returns**: The wind, as text.')
    expect(output).toEqual({ type: 'object', description: 'The wind, as text.' })
    expect(notes).toHaveLength(1)
  })
})

test.each<[string, JsonObject | undefined]>([
  ['str', { type: 'string' }],
  ['`Integer`', { type: 'integer' }],
  ['float', { type: 'number' }],
  ['Any', {}],
  ['string[]', { type: 'array', items: { type: 'string' } }],
  ['List[Dict[str, Any]]', { type: 'array', items: { type: 'object' } }],
  ['dict[str, int]', { type: 'object', additionalProperties: { type: 'integer' } }],
  ['array of objects', { type: 'array', items: { type: 'object' } }],
  ['Array<string | number>', { type: 'array', items: { type: ['string', 'number'] } }],
  ['Optional[List[str]]', { type: ['array', 'null'], items: { type: 'string' } }],
  ['Union[str, int]', { type: ['string', 'integer'] }],
  ['string or null', { type: ['string', 'null'] }],
  ['"a" | "b"', { enum: ['a', 'b'] }],
  ["Literal['a', 'b']", { enum: ['a', 'b'] }],
  ['enum["a", "b"]', { enum: ['a', 'b'] }],
  ['array[enum["a", "b"]]', { type: 'array', items: { enum: ['a', 'b'] } }],
  ['string | list[string]', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }],
  ['integer (positive)', { type: 'integer' }],
  ['dict with settings', { type: 'object' }],
  ['datetime', { type: 'string' }],
  ['Path', { type: 'string' }],
  ['{a, b: int}', { type: 'object', properties: { a: {}, b: { type: 'integer' } } }],
  ['SomeClass', undefined],
  ['', undefined],
  [`${'list['.repeat(2000)}str`, undefined],
])('the type %j is %j', (words, schema) => {
  expect(schemaOfType(words)).toEqual(schema)
})
