/** Several sets of pages on one port. The first one that has a path answers. */
import type { Pages } from '../../transport/http/pages.ts'
import { pathOf } from '../../transport/http/reply.ts'

export const joinedPages = (...all: readonly Pages[]): Pages => ({
  has: (path) => all.some((pages) => pages.has(path)),
  async serve(request, response) {
    await all.find((pages) => pages.has(pathOf(request)))?.serve(request, response)
  },
})
