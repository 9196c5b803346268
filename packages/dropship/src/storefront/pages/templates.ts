/**
 * Liquid, twice: one engine for the shop's own views and one for the templates of pages, which are data. Both escape whatever
 * they print. In a page's template nothing can turn that off, nothing can be included, and neither time nor memory is endless.
 */
import type { Liquid, Template } from 'liquidjs'
import { views } from './views/views.ts'

export type TemplateScope = Readonly<Record<string, unknown>>

export interface TemplateEngine {
  /** one of the shop's own views */
  view(name: keyof typeof views, scope: TemplateScope): string
  /** a template from the shop's data. Throws where it is no Liquid. */
  page(template: string, scope: TemplateScope): string
}

/** Parsed templates are kept; more of them than this are not. */
const MAX_CACHED = 2000
const LIMITS = { parseLimit: 100_000, renderLimit: 250, memoryLimit: 2_000_000 }

let loading: Promise<TemplateEngine> | undefined

export const templateEngine = (): Promise<TemplateEngine> => {
  loading ??= load()
  return loading
}

async function load(): Promise<TemplateEngine> {
  const { Liquid } = await import('liquidjs')
  const common = { outputEscape: 'escape', ownPropertyOnly: true, strictFilters: true, templates: {} } as const
  const own = new Liquid(common)
  own.registerFilter('markup', { handler: (text: string) => text, raw: true })
  own.registerFilter('json_script', { handler: jsonForScript, raw: true })
  const theirs = new Liquid({ ...common, ...LIMITS })
  // Liquid's own raw prints without escaping. A page's template does not get that.
  theirs.registerFilter('raw', (value: unknown) => value)
  // What is printed is escaped already. Authors who ask for it once more would get it twice.
  for (const name of ['escape', 'escape_once']) theirs.registerFilter(name, (value: unknown) => value)
  const ownTemplates = new Map(Object.entries(views).map(([name, text]) => [name, own.parse(text)]))
  const theirTemplates = new Map<string, Template[]>()
  return {
    view: (name, scope) => own.renderSync(ownTemplates.get(name) ?? [], scope),
    page: (template, scope) => theirs.renderSync(parseCached(theirs, theirTemplates, template), scope),
  }
}

function parseCached(liquid: Liquid, kept: Map<string, Template[]>, text: string): Template[] {
  const found = kept.get(text)
  if (found !== undefined) return found
  const template = liquid.parse(text)
  if (kept.size >= MAX_CACHED) kept.clear()
  kept.set(text, template)
  return template
}

/** JSON that no text in it can end the script element of. */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A text as it may stand in a template: neither HTML nor Liquid sees anything but letters. */
export const templateLiteral = (text: string): string =>
  text.replace(/[&<>"'{}%]/g, (character) => `&#${character.charCodeAt(0)};`)
