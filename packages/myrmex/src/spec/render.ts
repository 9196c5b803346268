/**
 * Renders `MCP_TOOL_SPECIFICATION.md` from definitions. `readDocument` reads it back without loss. The same definitions in any
 * order give the same bytes.
 */
import { fit } from '../protocol/text.ts'
import { escapeHidden } from '../tool/text/hidden-characters.ts'
import type { ToolBody } from '../tool/verify/verify-tool.ts'
import { compareVersions, isVersion } from '../tool/version.ts'
import { type Recorded, toolKey } from './examples/recorded-examples.ts'
import type { Migrations } from './lock/migration-steps.ts'
import { inCode, inLine } from './markdown/text.ts'
import { table } from './markdown/write-blocks.ts'
import { commonErrorParts } from './render/errors.ts'
import { type Origin, toolParts } from './render/tool.ts'

export const DOCUMENT = 'MCP_TOOL_SPECIFICATION.md'

const WRITTEN = {
  own: '<!-- Written by `myrmex spec render` from the tool definitions. Change those, then render again. -->',
  elsewhere: '<!-- Written by `myrmex spec render` from what a server lists. -->',
} as const

export interface RenderOptions {
  /** the text of the heading; default: the names of the modules */
  title?: string
  /** the server that lists them, if they are not from code of ours: then less is known of them */
  server?: string
  /** what the examples of each tool returned; by default samples are shown */
  recorded?: Recorded
  /** the major steps of each tool; without them only what the author wrote is shown */
  migrations?: Migrations
}

export function renderDocument(bodies: readonly ToolBody[], options: RenderOptions = {}): string {
  const sorted = [...bodies].sort(byNameAndVersion)
  const names = Map.groupBy(sorted, ({ name }) => name)
  const isTwice = ({ name }: ToolBody): boolean => names.get(name)?.length !== 1
  const headings = sorted.map((body) =>
    isTwice(body) ? `Tool: ${inCode(body.name)} (${inLine(body.version)})` : `Tool: ${inCode(body.name)}`,
  )
  const anchors = anchorsOf(
    sorted.map((body) => (isTwice(body) ? `Tool: ${body.name} (${body.version})` : `Tool: ${body.name}`)),
  )
  const title = options.title ?? [...new Set(sorted.map(moduleOf))].join(', ')
  const origin: Origin = options.server === undefined ? 'own' : 'elsewhere'
  const parts = [
    WRITTEN[origin],
    `# Tool specification: ${inLine(title)}`,
    ...(options.server === undefined ? [] : [provenance(options.server)]),
    table(
      ['Tool', 'Version', 'Changes state', 'In short'],
      sorted.map((body, index) => [
        `[${inCode(body.name)}](#${anchors[index]})`,
        inLine(body.version),
        body.destructive ? 'yes' : 'no',
        inLine(inShort(body)),
      ]),
    ),
    ...sorted.flatMap((body, index) =>
      toolParts(body, headings[index] as string, {
        origin,
        recorded: options.recorded?.get(toolKey(body)),
        migration: options.migrations?.get(toolKey(body)) ?? [],
      }),
    ),
    ...(origin === 'own' ? commonErrorParts() : []),
  ]
  const document = `${parts.join('\n\n')}\n`
  // What a stranger wrote may not act on a terminal, nor hide.
  return origin === 'own' ? document : document.replace(/[^\n\t]+/g, escapeHidden)
}

const provenance = (server: string): string =>
  `Made from what the server ${inLine(server)} lists. What it does not say is taken on the safe side.`

/** Names in the order of their code units, versions highest first. */
function byNameAndVersion(a: ToolBody, b: ToolBody): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  if (isVersion(a.version) && isVersion(b.version)) return compareVersions(a.version, b.version)
  return a.version < b.version ? 1 : -1
}

const moduleOf = ({ name }: ToolBody): string => (name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : name)

const MAX_SUMMARY_LENGTH = 100

function inShort({ title, description, deprecatedIn }: ToolBody): string {
  const text = title ?? firstSentence(description)
  return deprecatedIn === undefined ? text : `${text} (deprecated)`
}

function firstSentence(text: string): string {
  const line = text.trim().split('\n', 1)[0] as string
  return fit(/^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line, MAX_SUMMARY_LENGTH)
}

/** As GitHub makes them of what a heading shows: letters, digits, `-` and `_`; one that is taken gets a number. */
function anchorsOf(headings: readonly string[]): string[] {
  const taken = new Map<string, number>()
  return headings.map((heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const before = taken.get(anchor) ?? 0
    taken.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}
