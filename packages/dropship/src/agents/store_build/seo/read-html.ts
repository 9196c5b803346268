/** Parses the parts of a page's HTML that the audit checks. */
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'

export interface PageHtml {
  readonly lang: string
  readonly title: string
  readonly meta: ReadonlyMap<string, string>
  readonly canonical: string | undefined
  readonly headings: readonly { readonly level: number; readonly text: string }[]
  /** of the main element */
  readonly paragraphs: readonly { readonly text: string; readonly kind: string }[]
  readonly images: readonly { readonly alt: string | undefined }[]
  /** distinct links to other pages of the shop */
  readonly links: readonly string[]
  /** text of the main element */
  readonly text: string
  /** undefined if there is none or it is not JSON */
  readonly structured: unknown
}

const isElement = (node: Tree.Node): node is Tree.Element => 'tagName' in node

function* elements(node: Tree.Node): Generator<Tree.Element> {
  if (isElement(node)) yield node
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child)
}

const attribute = (element: Tree.Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value

const NOT_TEXT = new Set(['script', 'style', 'select', 'option'])

function textOf(node: Tree.Node): string {
  if (node.nodeName === '#text') return (node as Tree.TextNode).value
  if (!('childNodes' in node) || NOT_TEXT.has(node.nodeName)) return ''
  return node.childNodes.map(textOf).join(' ')
}

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim()

export async function readHtml(html: string): Promise<PageHtml> {
  const { parse } = await import('parse5')
  const all = [...elements(parse(html))]
  const named = (name: string): Tree.Element[] => all.filter(({ tagName }) => tagName === name)
  const main = named('main')[0] ?? named('body')[0]
  const inMain = main === undefined ? [] : [...elements(main)]
  const mainNamed = (name: string): Tree.Element[] => inMain.filter(({ tagName }) => tagName === name)
  const meta = named('meta').map(
    (element) => [attribute(element, 'name') ?? '', attribute(element, 'content') ?? ''] as const,
  )
  return {
    lang: attribute(named('html')[0] ?? ({ attrs: [] } as unknown as Tree.Element), 'lang') ?? '',
    title: tidy(named('title').map(textOf)[0] ?? ''),
    meta: new Map(meta.filter(([name]) => name !== '')),
    canonical: named('link')
      .filter((element) => attribute(element, 'rel') === 'canonical')
      .map((element) => attribute(element, 'href') ?? '')[0],
    headings: all
      .filter(({ tagName }) => /^h[1-6]$/.test(tagName))
      .map((element) => ({ level: Number(element.tagName.slice(1)), text: tidy(textOf(element)) })),
    paragraphs: mainNamed('p').map((element) => ({
      text: tidy(textOf(element)),
      kind: attribute(element, 'class') ?? '',
    })),
    images: mainNamed('img').map((element) => ({ alt: attribute(element, 'alt') })),
    links: [...new Set(mainNamed('a').map((element) => attribute(element, 'href') ?? ''))].filter((href) =>
      href.startsWith('/'),
    ),
    text: main === undefined ? '' : tidy(textOf(main)),
    structured: jsonIn(named('script').filter((element) => attribute(element, 'type') === 'application/ld+json')),
  }
}

function jsonIn([element]: readonly Tree.Element[]): unknown {
  if (element === undefined) return undefined
  const text = element.childNodes
    .map((node) => (node.nodeName === '#text' ? (node as Tree.TextNode).value : ''))
    .join('')
  try {
    return JSON.parse(text)
  } catch {
    // The audit reports missing structured data.
    return undefined
  }
}
