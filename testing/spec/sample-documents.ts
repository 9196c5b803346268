/**
 * Tool specification documents for tests: in the form that `spec render` writes, in the forms that people write by hand, and
 * broken in the ways that files break. Made from words and tools of this file, so that a failing one can be made again.
 */
import fc from 'fast-check'

/** The contents of a sample tool, which each form writes in its own way. */
export interface Sample {
  readonly name: string
  readonly version: string
  readonly title: string | undefined
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly fields: readonly Parameter[]
  readonly errors: Readonly<Record<string, string>>
  readonly idempotent: boolean
  readonly destructive: boolean
  readonly security: string
}

export interface Parameter {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean'
  readonly required: boolean
  readonly description: string
}

/** How a form writes the parts that differ between forms. */
export interface Form {
  /** what opens a tool */
  readonly tool: (sample: Sample, index: number) => string
  /** what opens a section */
  readonly section: (index: number) => string
  readonly version: (version: string) => string
  readonly errors: 'table' | 'bullets' | 'headings'
  readonly idempotency: (idempotent: boolean) => string
  readonly call: 'envelope' | 'json-rpc' | 'bare'
  readonly fence: readonly [open: string, close: string]
  readonly json: (value: unknown) => string
  readonly facts: 'table' | 'bullets' | 'none'
  readonly lineEnd: '\n' | '\r\n'
}

const NAMES = [
  'Tool Purpose and Description',
  'Invocation Name',
  'Input Schema (Parameters)',
  'Output Schema (Return Value)',
  'Error Handling',
  'Idempotency',
  'Usage Examples',
  'Security Considerations',
]
const OTHER_NAMES = ['Description', 'Name', 'Parameters', 'Returns', 'Errors', 'Idempotent', 'Examples', 'Security']

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

/** As our renderer writes. */
export const OUR_FORM: Form = {
  tool: ({ name }) => `## Tool: \`${name}\``,
  section: (index) => `### ${index + 1}. ${NAMES[index]}`,
  version: (version) => `**Version**: ${version}`,
  errors: 'table',
  idempotency: (yes) =>
    yes
      ? 'This tool is **idempotent**: calling it again with the same arguments changes nothing further.'
      : 'This tool is **not idempotent**: calling it again with the same arguments may do its work again.',
  call: 'envelope',
  fence: ['```json', '```'],
  json: pretty,
  facts: 'table',
  lineEnd: '\n',
}

const schemaOf = (parameters: readonly Parameter[]) => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, type, description }) => [name, { type, description }])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
})

const valueFor = ({ name, type }: Parameter): unknown => ({ string: `a ${name}`, integer: 3, boolean: true })[type]
const valuesFor = (parameters: readonly Parameter[]) =>
  Object.fromEntries(parameters.map((parameter) => [parameter.name, valueFor(parameter)]))

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', '<br>')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    ['Parameter Name', 'Type', 'Required', 'Description', 'Default', 'Example Value'],
    parameters.map((one) => [
      `\`${one.name}\``,
      `\`${one.type}\``,
      one.required ? 'Yes' : 'No',
      cell(one.description),
      '',
      `\`${JSON.stringify(valueFor(one))}\``,
    ]),
  )

const fieldTable = (fields: readonly Parameter[]): string =>
  table(
    ['Field Name', 'Type', 'Always there', 'Description'],
    fields.map((one) => [`\`${one.name}\``, `\`${one.type}\``, one.required ? 'Yes' : 'No', cell(one.description)]),
  )

function errorList({ errors }: Sample, how: Form['errors']): string {
  const entries = Object.entries(errors)
  if (how === 'bullets') return entries.map(([type, when]) => `- \`${type}\`: ${when}`).join('\n')
  if (how === 'headings') return entries.map(([type, when]) => `#### \`${type}\`\n\n${when}`).join('\n\n')
  return table(
    ['Error type', 'When'],
    entries.map(([type, when]) => [`\`${type}\``, cell(when)]),
  )
}

function factsOf({ destructive }: Sample, how: Form['facts']): string[] {
  const facts = [
    ['Changes state', destructive ? 'yes' : 'no'],
    ['Time limit', '30000 ms'],
    ['Rate limit', '10 calls per 1000 ms'],
    ['Definition may be kept for', '300 s'],
    ['Runs as a task', 'no'],
  ] as const
  if (how === 'none') return []
  if (how === 'bullets') return [facts.map(([name, value]) => `- **${name}**: ${value}`).join('\n')]
  return [table(['Property', 'Value'], facts)]
}

function callOf({ name, parameters }: Sample, how: Form['call']): unknown {
  const values = valuesFor(parameters)
  if (how === 'bare') return values
  if (how === 'json-rpc') {
    return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } }
  }
  return { tool_name: name, arguments: values }
}

/** One tool, in this form. */
export function toolText(sample: Sample, form: Form, index = 0): string {
  const block = (value: unknown): string => [form.fence[0], form.json(value), form.fence[1]].join('\n')
  const failure = { error_type: Object.keys(sample.errors)[0] ?? 'ToolExecutionError', error_message: 'It failed.' }
  const sections: string[][] = [
    [
      form.version(sample.version),
      ...(sample.title === undefined ? [] : [`**Title**: ${sample.title}`]),
      sample.description,
      ...factsOf(sample, form.facts),
    ],
    [`\`${sample.name}\``],
    [parameterTable(sample.parameters), '**JSON Schema for `arguments`**:', block(schemaOf(sample.parameters))],
    [fieldTable(sample.fields), '**JSON Schema for `data` (on success)**:', block(schemaOf(sample.fields))],
    [errorList(sample, form.errors), 'Every tool can also give the errors that all tools share.'],
    [form.idempotency(sample.idempotent)],
    [
      '#### Example 1: The usual way',
      '**Call**:',
      block(callOf(sample, form.call)),
      '**Result**:',
      block({ status: 'success', data: valuesFor(sample.fields), error: null, explanation: null }),
      '#### Any failure',
      '**Result (its form; the values differ)**:',
      block({ status: 'failure', data: null, error: { ...failure, error_details: null }, explanation: null }),
    ],
    [sample.security],
  ]
  const parts = sections.flatMap((blocks, section) => [form.section(section), ...blocks])
  return [form.tool(sample, index), ...parts].join('\n\n')
}

export function documentText(samples: readonly Sample[], form: Form): string {
  const contents = table(
    ['Tool', 'Version', 'Changes state', 'In short'],
    samples.map(({ name, version, destructive, title }) => [
      `[\`${name}\`](#tool-${name.replaceAll('.', '')})`,
      version,
      destructive ? 'yes' : 'no',
      title ?? '',
    ]),
  )
  const texts = samples.map((sample, index) => toolText(sample, form, index))
  const all = [
    '<!-- Written by `myrmex spec render` from the tool definitions. Change those, then render again. -->',
    '# Tool specification: samples',
    contents,
    ...texts,
  ].join('\n\n')
  return `${all}\n`.replaceAll('\n', form.lineEnd)
}

const WORDS = 'reads writes the file of a shop order stock price with and when given path line item it gives'.split(' ')

/** Words drawn by a random seed: the same seed gives the same words. */
function sentence(seed: number, length: number): string {
  let state = (seed * 2654435761) >>> 0
  const words = Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return WORDS[(state >>> 16) % WORDS.length]
  })
  return `${words.join(' ').replace(/^./, (first) => first.toUpperCase())}.`
}

/** The tool with this number: always the same one. */
export function sample(number: number): Sample {
  const parameters = Array.from({ length: 2 + (number % 7) }, (_, index) => ({
    name: `parameter_${index + 1}`,
    type: (['string', 'integer', 'boolean'] as const)[(number + index) % 3] ?? 'string',
    required: (number + index) % 2 === 0,
    description: sentence(number * 31 + index, 8),
  }))
  return {
    name: `sample_${number % 9}.tool_${number}`,
    version: `${1 + (number % 3)}.${number % 10}.0`,
    title: number % 4 === 0 ? undefined : `Tool number ${number}`,
    description: `${sentence(number, 30)}\n\n${sentence(number + 1, 20)}`,
    parameters,
    fields: parameters.map((one, index) => ({ ...one, name: `field_${index + 1}` })),
    errors: { NotThereError: sentence(number + 2, 7), TooLargeError: sentence(number + 3, 9) },
    idempotent: number % 2 === 0,
    destructive: number % 5 === 0,
    security: sentence(number + 4, 25),
  }
}

/** A clean document in our form with as many tools as it takes to be this large. */
export function bigDocument(bytes: number): string {
  const one = toolText(sample(3), OUR_FORM).length
  const samples = Array.from({ length: Math.ceil(bytes / one) }, (_, number) => sample(number))
  return documentText(samples, OUR_FORM)
}

const aName = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}\.[a-z][a-z0-9_]{0,12}$/)

/** Texts with all that Markdown could trip over, some of it meant as Markdown. */
const aText = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
      {
        weight: 2,
        arbitrary: fc.constantFrom('`code`', '*so*', '**bold**', 'a_b', '[x](y)', '[x][y]', '\\*', '&amp;', '|', '<b>'),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('\n', '\n\n', '\n- ', '\n1. ', '\n> ', '`', '``', '*', '[', 'é', '🐜', '\t'),
      },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((words) => words.join(' ').trim() || 'words')

const aParameter: fc.Arbitrary<Parameter> = fc.record({
  name: fc.stringMatching(/^[a-z][a-z_]{0,8}$/),
  type: fc.constantFrom('string', 'integer', 'boolean'),
  required: fc.boolean(),
  description: aText,
})

const aSample: fc.Arbitrary<Sample> = fc.record({
  name: fc.oneof(
    { weight: 4, arbitrary: aName },
    { weight: 1, arbitrary: fc.constantFrom('Bad Name', 'noModule', '') },
  ),
  version: fc.constantFrom('1.0.0', '0.1.2', '2.0.0-rc.1', 'v1.2.3', '1.0', 'soon'),
  title: fc.option(aText, { nil: undefined }),
  description: aText,
  parameters: fc.array(aParameter, { maxLength: 4 }),
  fields: fc.array(aParameter, { maxLength: 4 }),
  errors: fc.dictionary(fc.stringMatching(/^[A-Z][a-z]{2,8}Error$/), aText, { maxKeys: 3 }),
  idempotent: fc.boolean(),
  destructive: fc.boolean(),
  security: aText,
})

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

const aForm: fc.Arbitrary<Form> = fc.record({
  tool: fc.constantFrom<Form['tool'][]>(
    OUR_FORM.tool,
    ({ name }) => `# ${name}`,
    ({ name }) => `## \`${name}\``,
    ({ name }, index) => `## ${index + 1}. ${name}`,
    ({ name, version }) => `## Tool: \`${name}\` (v${version})`,
    ({ name }) => `Tool: \`${name}\`\n-----`,
    ({ title }) => `## ${(title ?? 'A title').replace(/\s+/g, ' ')}`,
    () => '',
  ),
  section: fc.constantFrom<Form['section'][]>(
    OUR_FORM.section,
    (index) => `### ${NAMES[index]}`,
    (index) => `## ${OTHER_NAMES[index]}`,
    (index) => `**${NAMES[index]}**:`,
    (index) => `**${index + 1}. ${OTHER_NAMES[index]?.toUpperCase()}:**`,
    (index) => `### ${index + 1}) ${OTHER_NAMES[index]}`,
    (index) => `### Section ${index + 1}`,
    (index) => `${NAMES[index]}\n---`,
    (index) => `#### ${NAMES[index]} ####`,
  ),
  version: fc.constantFrom<Form['version'][]>(
    OUR_FORM.version,
    (version) => `- **Version**: v${version}`,
    (version) => `Version ${version}`,
    (version) => `**Version:** ${version}`,
    (version) => `| Property | Value |\n|---|---|\n| Version | ${version} |`,
  ),
  errors: fc.constantFrom<Form['errors'][]>('table', 'bullets', 'headings'),
  idempotency: fc.constantFrom<Form['idempotency'][]>(
    OUR_FORM.idempotency,
    (yes) => `Idempotent: ${yes ? 'Yes' : 'No'}`,
    (yes) => `It is ${yes ? '' : 'non-'}idempotent.`,
    (yes) => (yes ? 'Yes.' : 'No.'),
  ),
  call: fc.constantFrom<Form['call'][]>('envelope', 'json-rpc', 'bare'),
  fence: fc.constantFrom<Form['fence'][]>(
    OUR_FORM.fence,
    ['~~~jsonc', '~~~'],
    ['````json5', '````'],
    ['```', '```'],
    ['   ```json', '   ```'],
    ['```json', ''],
    ['- ```json', '  ```'],
    ['> ```json', '```'],
  ),
  json: fc.constantFrom<Form['json'][]>(
    pretty,
    (value) => JSON.stringify(value),
    (value) => pretty(value).replace(/\n(\s*)\}/, ',\n$1}'),
    (value) => `// as it is sent\n${pretty(value)}`,
    (value) => pretty(value).replaceAll('  ', '\t'),
    (value) => indented(pretty(value), '  '),
    (value) => indented(`  ${pretty(value)}`, '  '),
    (value) => pretty(value).slice(0, -1),
  ),
  facts: fc.constantFrom<Form['facts'][]>('table', 'bullets', 'none'),
  lineEnd: fc.constantFrom<Form['lineEnd'][]>('\n', '\n', '\n', '\r\n'),
})

const BEFORE = [
  '',
  '\uFEFF',
  '---\ntitle: Tools\n---\n\n',
  '<!-- made by hand\n\n# no heading -->\n\n',
  'Words first.\n\n',
]
const AFTER = [
  '',
  '\n## Navigation Links\n\n- **Parent**: [Overview](../README.md)\n',
  '\n## Appendix\n\n### Examples\n\nNone.\n',
  '\n[ref]: http://127.0.0.1/\n',
  '\n```json\n{ "never": "closed"\n',
]

/** A document in our form or in one that somebody might write by hand, with up to three tools. */
export const anyDocument = (): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...BEFORE),
      fc.array(aSample, { minLength: 1, maxLength: 3 }),
      fc.oneof({ weight: 1, arbitrary: fc.constant(OUR_FORM) }, { weight: 4, arbitrary: aForm }),
      fc.constantFrom(...AFTER),
    )
    .map(([before, samples, form, after]) => before + documentText(samples, form) + after)

const JUNK = [
  ...['```', '```json', '````', '~~~', '> ', '- ', '1. ', '   ', '\t', '    ', '# ', '## Tool: `x.y`', '### 3. Input'],
  ...['| a | b |', '| --- |', '|', '\\', '**', '`', '<!--', '-->', '<script>', '<div>', '</div>', '<?', '<![CDATA['],
  ...[
    '[a]: b',
    '[',
    '](',
    '&#0;',
    '\0',
    '\uFEFF',
    '\uD800',
    '\r',
    '\u2028',
    '===',
    '---',
    '***',
    '{',
    '"',
    '}',
    '\n\n',
  ],
]

type Change = (lines: string[]) => string[]

const aChange: fc.Arbitrary<Change> = fc
  .record({
    from: fc.nat(),
    to: fc.nat(),
    junk: fc.oneof(fc.constantFrom(...JUNK), fc.string({ unit: 'binary', maxLength: 20 })),
    kind: fc.constantFrom('cut', 'lose', 'repeat', 'swap', 'insert', 'insert', 'new line', 'indent'),
  })
  .map(({ from, to, junk, kind }) => (lines) => {
    const [low, high] = [from % lines.length, to % lines.length].sort((a, b) => a - b) as [number, number]
    const line = lines[low] ?? ''
    const column = to % (line.length + 1)
    const [before, after] = [lines.slice(0, low), lines.slice(low + 1)]
    if (kind === 'cut') return [...before, line.slice(0, column)]
    if (kind === 'lose') return [...before, ...lines.slice(Math.min(high, low + 5))]
    if (kind === 'repeat')
      return [...lines.slice(0, high), ...lines.slice(low, Math.min(high, low + 20)), ...lines.slice(high)]
    if (kind === 'swap') return lines.with(low, lines[high] ?? '').with(high, line)
    if (kind === 'new line') return [...before, junk, line, ...after]
    if (kind === 'indent') return [...before, `${' '.repeat(to % 6)}${line}`, ...after]
    return [...before, line.slice(0, column) + junk + line.slice(column), ...after]
  })

/** This document with up to five changes such as editors, merges and broken disks make. */
export const mutatedDocument = (markdown: string): fc.Arbitrary<string> =>
  fc
    .array(aChange, { minLength: 1, maxLength: 5 })
    .map((changes) => changes.reduce((lines, change) => change(lines), markdown.split('\n')).join('\n'))
