/** The tools whose results a page shows. Who may see one of them may read the page, whatever else its profile has. */
import type { Tool } from './tool.ts'

const known = new WeakMap<object, readonly Tool[]>()

/** `page` is the definition of the resource. */
export const withPageTools = (page: object, tools: readonly Tool[]): void => void known.set(page, tools)

export const pageTools = (page: object): readonly Tool[] | undefined => known.get(page)
