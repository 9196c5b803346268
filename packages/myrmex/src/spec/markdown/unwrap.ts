/**
 * Removes what surrounds a document: front matter, and a Markdown fence around the whole document. Such a fence may end early
 * because of inner fences of the same length. Removed parts are blanked, so that all locations stay the same.
 */
import { type Lines, lineAt, splitLines } from './lines.ts'

const blanked = (text: string): string => text.replace(/[^\n]/g, ' ')

const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\n[ \t]*[\w"'#-][^\n]*\n[\s\S]*?(?<=\n)(?:\1|\.\.\.)[ \t]*(?=\n|$)/

export function withoutFrontMatter(text: string): string {
  const found = FRONT_MATTER.exec(text)?.[0]
  const isMatter = found !== undefined && /^[ \t]*["']?[\w-]+["']?[ \t]*[:=]/m.test(found)
  return isMatter ? blanked(found) + text.slice(found.length) : text
}

export interface UnwrappedText {
  /** the text without those fences that would end early */
  readonly outside: string
  /** only the content of fences for Markdown; undefined if there are none */
  readonly inside: string | undefined
}

interface Region {
  readonly open: number
  readonly close: number
  /** a fence within it would end it early */
  readonly early: boolean
}

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]*)/
const MARKDOWN = /^(?:markdown|md)$/i

export function unwrap(text: string): UnwrappedText {
  if (!/(?:`{3}|~{3})[ \t]*(?:markdown|md)\b/i.test(text)) return { outside: text, inside: undefined }
  const lines = splitLines(text)
  const regions = regionsIn(lines)
  if (regions.length === 0) return { outside: text, inside: undefined }
  const outside = new Uint8Array(lines.count).fill(1)
  const inside = new Uint8Array(lines.count)
  for (const { open, close, early } of regions) {
    if (early) outside.fill(0, open, close + 1)
    inside.fill(1, open + 1, close)
  }
  return { outside: keep(lines, outside), inside: keep(lines, inside) }
}

function keep(lines: Lines, wanted: Uint8Array): string {
  let kept = ''
  for (let line = 0; line < lines.count; line++) {
    const whole = lines.text.slice(lines.starts[line], lines.starts[line + 1] ?? lines.text.length)
    kept += wanted[line] === 1 ? whole : blanked(whole)
  }
  return kept
}

interface Fence {
  readonly mark: string
  readonly info: string
}

function fenceAt(lines: Lines, index: number): Fence | undefined {
  const [, , mark, info = ''] = FENCE.exec(lineAt(lines, index)) ?? []
  return mark === undefined ? undefined : { mark, info }
}

const closes = (fence: Fence, { mark }: Fence): boolean =>
  fence.info === '' && fence.mark[0] === mark[0] && fence.mark.length >= mark.length

function regionsIn(lines: Lines): Region[] {
  const regions: Region[] = []
  for (let index = 0; index < lines.count; index++) {
    const fence = fenceAt(lines, index)
    if (fence === undefined) continue
    const region = regionAt(lines, index, fence)
    if (region === undefined) return regions
    if (MARKDOWN.test(fence.info)) regions.push(region)
    index = region.close
  }
  return regions
}

/** A fence in a fence for Markdown is open until its own end; only then can the outer one end. */
function regionAt(lines: Lines, open: number, outer: Fence): Region | undefined {
  let inner: Fence | undefined
  let early = false
  for (let index = open + 1; index < lines.count; index++) {
    const fence = fenceAt(lines, index)
    if (fence === undefined) continue
    if (inner !== undefined) {
      if (!closes(fence, inner)) continue
      early ||= closes(fence, outer)
      inner = undefined
    } else if (closes(fence, outer)) return { open, close: index, early }
    else if (MARKDOWN.test(outer.info)) inner = fence
  }
  return undefined
}
