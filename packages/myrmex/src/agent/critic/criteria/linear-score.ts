/** 1 up to `full`, 0 from `none`, straight between: how every measured share becomes points. */
export const linearScore = (value: number, full: number, none: number): number =>
  Math.min(1, Math.max(0, (none - value) / (none - full)))
