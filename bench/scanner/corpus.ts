// Reads labelled definitions for the scanner: our own sets in testing/scanner, and corpora of others in any of the usual JSON forms.
// What a row says about its server decides which names are the server's own.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { OtherTool, ScanContext } from '../../packages/myrmex/src/tool/verify/scan/context.ts'

export interface LabelledDefinition {
  readonly id: string
  readonly corpus: string
  readonly category: string
  readonly isPoisoned: boolean
  /** what rows are grouped by when a part is held out: a server, or a kind of attack */
  readonly group: string
  readonly body: object
  readonly context: ScanContext
}

/** Sets that were written to measure. Weights are not trained on them; the threshold was chosen with the figures of all but `third` in view. */
export const isHeldOut = ({ corpus }: Pick<LabelledDefinition, 'corpus'>): boolean =>
  /-(?:later|heldout|second|third)$/.test(corpus)

type Row = Record<string, unknown>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRow) : [])
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Every `.json`, `.jsonl` and `.txt` file of a folder. */
export function readCorpora(folder: string): LabelledDefinition[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((file) => readCorpus(join(folder, file)))
}

function readCorpus(path: string): LabelledDefinition[] {
  const corpus = basename(path).replace(/\.\w+$/, '')
  if (path.endsWith('.txt')) return readLines(corpus, readFileSync(path, 'utf8'))
  if (!/\.jsonl?$/.test(path)) return []
  const content = readFileSync(path, 'utf8')
  const rows = path.endsWith('l')
    ? content
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : JSON.parse(content)
  const list = isRow(rows) ? [rows.entries, rows.tools, rows.data, rows.rows, rows.items].flatMap(rowsIn) : rowsIn(rows)
  const byServer = Map.groupBy(list, ({ server }) => text(server) ?? '')
  return list.map((row, index) => readRow(corpus, row, index, byServer.get(text(row.server) ?? '') ?? []))
}

function readRow(corpus: string, row: Row, index: number, sameServer: readonly Row[]): LabelledDefinition {
  const body = bodyOf(row)
  const server = text(row.server)
  const label = row.label ?? row.is_malicious ?? row.malicious ?? row.poisoned
  const isPoisoned =
    label === true || label === 1 || /^(?:malicious|poisoned|attack|unsafe|1|true)$/i.test(String(label ?? ''))
  const peers = rowsIn(row.peers)
  const own = peers.filter((peer) => peer.server === server)
  const others = peers.filter((peer) => peer.server !== server)
  const category = text(row.category) ?? text(row.attack_type) ?? text(row.type) ?? 'benign'
  return {
    id: text(row.id) ?? `${server ?? corpus}.${nameOf(row) ?? index}`,
    corpus,
    category,
    isPoisoned,
    group: isPoisoned ? category : (server ?? String(index % 10)),
    body,
    context: {
      // Rows of one server without a label are the tools of that server.
      own: [...own, ...(server === undefined || label !== undefined ? [] : sameServer)].flatMap(
        (one) => nameOf(one) ?? [],
      ),
      others: others.map((one): OtherTool => ({ server: text(one.server), ...(bodyOf(one) as OtherTool) })),
    },
  }
}

const nameOf = (row: Row): string | undefined =>
  isRow(row.tool) ? text(row.tool.name) : (text(row.tool) ?? text(row.name))

function bodyOf(row: Row): object {
  if (isRow(row.tool)) return row.tool
  const { description, inputSchema, input_schema, parameters, annotations, title } = row
  return {
    name: nameOf(row),
    title,
    description: text(description) ?? '',
    inputSchema: inputSchema ?? input_schema ?? parameters,
    annotations,
  }
}

/** Our own sets: `category | name | description`, and `category | name | own tools | description` in files called benign. */
function readLines(corpus: string, content: string): LabelledDefinition[] {
  const isBenign = corpus.startsWith('benign')
  return content
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [category = '', name = '', ...rest] = line.split(' | ')
      const own = isBenign ? (rest.shift() ?? '').split(', ').filter(Boolean) : []
      const description = rest.join(' | ').replaceAll(String.raw`\n`, '\n')
      return {
        id: name,
        corpus,
        category,
        isPoisoned: !isBenign,
        group: category,
        body: { name, description },
        context: { own },
      }
    })
}
