/** Markdown to its tree (mdast), with GitHub's tables: the one dialect in which documents are written and read. */
import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

const extensions = [gfmTable()]
const mdastExtensions = [gfmTableFromMarkdown()]

export const parseMarkdown = (text: string): Root => fromMarkdown(text, { extensions, mdastExtensions })
