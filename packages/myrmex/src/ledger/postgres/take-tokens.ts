/**
 * Taking from token buckets, as a function inside PostgreSQL: one round trip, exact however many take at once. A step that has
 * shipped is never edited: another step replaces the function.
 *
 * Callers pass the ids in order, so that two callers never deadlock. The clock is read when all rows are locked, so that the
 * time of waiting for them counts.
 */
export const TAKE_FUNCTION = `
CREATE FUNCTION take_tokens(
  ids TEXT[], sizes DOUBLE PRECISION[], spans DOUBLE PRECISION[], OUT bucket TEXT, OUT retry_after_ms DOUBLE PRECISION
) LANGUAGE plpgsql AS $$
DECLARE
  clock DOUBLE PRECISION;
  held DOUBLE PRECISION[];
  filled DOUBLE PRECISION[];
  held_now DOUBLE PRECISION;
  filled_then DOUBLE PRECISION;
  wait DOUBLE PRECISION;
BEGIN
  -- What a crash of the server makes it forget here is a few calls of a limit: not worth a disk write each.
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(ids) LOOP
    LOOP
      SELECT b.tokens, b.filled_at INTO held_now, filled_then FROM myrmex.buckets b WHERE b.id = ids[i] FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO myrmex.buckets (id, tokens, filled_at) VALUES (ids[i], sizes[i], 0) ON CONFLICT (id) DO NOTHING;
    END LOOP;
    held[i] := held_now;
    filled[i] := filled_then;
  END LOOP;
  clock := floor(extract(epoch FROM clock_timestamp()) * 1000);
  FOR i IN 1 .. cardinality(ids) LOOP
    -- A clock that was set back fills nothing; it does not empty either.
    held[i] := least(sizes[i], held[i] + greatest(0, clock - filled[i]) * sizes[i] / spans[i]);
    IF held[i] < 1 THEN
      wait := ceil((1 - held[i]) * spans[i] / sizes[i]);
      IF bucket IS NULL OR wait > retry_after_ms THEN
        bucket := ids[i];
        retry_after_ms := wait;
      END IF;
    END IF;
  END LOOP;
  FOR i IN 1 .. cardinality(ids) LOOP
    IF bucket IS NULL THEN
      UPDATE myrmex.buckets b SET tokens = held[i] - 1, filled_at = clock WHERE b.id = ids[i];
    ELSIF filled[i] > clock THEN
      -- From here on it fills again, and not only when the clock is back where it was.
      UPDATE myrmex.buckets b SET tokens = held[i], filled_at = clock WHERE b.id = ids[i];
    END IF;
  END LOOP;
END $$`
