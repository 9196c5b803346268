/** Several sets of pages on one port. The first one that has a path answers. */
import type { Pages } from '../../transport/http/pages.ts'

export const joinedPages = (...all: readonly Pages[]): Pages => ({
  has: (path) => all.some((pages) => pages.has(path)),
  async serve(request, response) {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    await all.find((pages) => pages.has(pathname))?.serve(request, response)
  },
})
