/** How a call can end, as the audit says it. */
export const OUTCOMES = [
  'success',
  'failure',
  'no_change_needed',
  'partial_success',
  'input_required',
  'fault',
] as const
