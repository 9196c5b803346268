/**
 * Two Liquid engines: one for the shop's own views, and one for the templates of pages, which are data. Both escape everything they
 * print. A page's template cannot turn that off, cannot include anything, and is limited in processor time and memory.
 */
import type { Context, Template } from 'liquidjs'
import { cached } from '../../cached.ts'
import { views } from './views/views.ts'

export type TemplateScope = Readonly<Record<string, unknown>>

export interface TemplateEngine {
  /** one of the shop's own views */
  view(name: keyof typeof views, scope: TemplateScope): string
  /** a template from the shop's data. Throws if it is not valid Liquid. */
  page(template: string, scope: TemplateScope): string
}

const MAX_CACHED = 2000
const LIMITS = { parseLimit: 100_000, renderLimit: 250, memoryLimit: 2_000_000 }

let loading: Promise<TemplateEngine> | undefined

export const templateEngine = (): Promise<TemplateEngine> => {
  loading ??= load()
  return loading
}

async function load(): Promise<TemplateEngine> {
  const { Context, Liquid } = await import('liquidjs')
  const common = { outputEscape: 'escape', ownPropertyOnly: true, strictFilters: true, templates: {} } as const
  const own = new Liquid(common)
  own.registerFilter('markup', { handler: (text: string) => text, raw: true })
  own.registerFilter('json_script', { handler: jsonForScript, raw: true })
  const theirs = new Liquid({ ...common, ...LIMITS })
  // Liquid's own `raw` prints without escaping.
  theirs.registerFilter('raw', (value: unknown) => value)
  // Everything printed is escaped already: these would escape it twice.
  for (const name of ['escape', 'escape_once']) theirs.registerFilter(name, (value: unknown) => value)
  const ownTemplates = new Map(Object.entries(views).map(([name, text]) => [name, own.parse(text)]))
  const theirTemplates = new Map<string, Template[]>()
  return {
    view: (name, scope) => own.renderSync(ownTemplates.get(name) ?? [], scope),
    page: (template, scope) => {
      const parsed = cached(theirTemplates, template, () => theirs.parse(template), MAX_CACHED)
      const context = new Context({ ...scope }, theirs.options, { sync: true }, { liquid: theirs })
      limitProcessorTime(context.renderLimit)
      return theirs.renderSync(parsed, context)
    },
  }
}

/** Liquid limits the time on the clock, in which a busy machine may hardly run the template. This counts only the time it ran. */
function limitProcessorTime(limit: Context['renderLimit']): void {
  const check = limit.check.bind(limit)
  const [now, used] = [performance.now(), processorMs()]
  limit.check = () => check(now + processorMs() - used)
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** JSON in which no text can end the script element. */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A text for a template, in which neither HTML nor Liquid finds markup. */
export const templateLiteral = (text: string): string =>
  text.replace(/[&<>"'{}%]/g, (character) => `&#${character.charCodeAt(0)};`)
