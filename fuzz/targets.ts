/** Every target, with its part of the messages. Slow ones get less: together they take a few minutes. The longest come first. */
import type { Target } from './target.ts'
import { configTarget } from './targets/config.ts'
import { httpTarget } from './targets/http.ts'
import { schemaTarget } from './targets/schemas.ts'
import { sessionTarget } from './targets/session.ts'
import { childTarget, streamTarget } from './targets/stdio.ts'
import { upstreamTarget } from './targets/upstream.ts'

export const TARGETS: readonly Target[] = [
  sessionTarget('modern', 0.2),
  sessionTarget('legacy', 0.2),
  streamTarget(0.2),
  childTarget(0.1),
  httpTarget(0.06),
  upstreamTarget('legacy', 0.07),
  upstreamTarget('modern', 0.05),
  schemaTarget(0.08),
  configTarget(0.04),
]
