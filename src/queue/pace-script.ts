/**
 * The pace as one step in Redis, on Redis' own clock: the arithmetic of core/pacing.ts (a property test compares
 * the two). Times are microseconds.
 *
 * KEYS: the pace (hash: `next`, `gate`), then one list per further window, newest slot first.
 * ARGV: how many slots; the latest slot wanted, from now; T of the first window; W of the first window; the slack;
 *       then `limit, W` of each further window; last the time, empty for Redis' clock.
 * Returns the time, the wait until the slot that was not given (-1 when all were), and the slots;
 * or only the time when there is no pace yet.
 */
export const reserveScript = `
local clock = redis.call('TIME')
local now = tonumber(ARGV[#ARGV]) or (clock[1] * 1000000 + clock[2])
local count, ahead, spacing, window, slack = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local state = redis.call('HMGET', KEYS[1], 'next', 'gate')
if not state[1] then return { string.format('%.0f', now) } end
local next, gate = tonumber(state[1]), tonumber(state[2] or 0)
-- A clock that was set back would make everybody wait as long as it was set back by.
if next > now + 2 * ahead + spacing + window then next = now + window end
local result = { string.format('%.0f', now), '-1' }
for i = 1, count do
  local slot = math.max(now, next, gate)
  for k = 2, #KEYS do
    local limit, length = tonumber(ARGV[4 + 2 * (k - 1)]), tonumber(ARGV[5 + 2 * (k - 1)])
    local oldest = redis.call('LINDEX', KEYS[k], limit - 1)
    if oldest then slot = math.max(slot, tonumber(oldest) + length + slack) end
  end
  if slot - now > ahead then
    result[2] = string.format('%.0f', slot - now)
    break
  end
  next = slot + spacing
  result[#result + 1] = string.format('%.0f', slot)
  for k = 2, #KEYS do
    redis.call('LPUSH', KEYS[k], string.format('%.0f', slot))
    redis.call('LTRIM', KEYS[k], 0, tonumber(ARGV[4 + 2 * (k - 1)]) - 1)
  end
end
redis.call('HSET', KEYS[1], 'next', string.format('%.0f', next))
return result
`;

/**
 * Begins a pace where there is none: `KEYS` as above; `ARGV`: the wait before the first slot, then for each further
 * window the number of calls that still count and how long ago each was, the newest last; last the time.
 */
export const beginScript = `
if redis.call('HEXISTS', KEYS[1], 'next') == 1 then return 0 end
local clock = redis.call('TIME')
local now = tonumber(ARGV[#ARGV]) or (clock[1] * 1000000 + clock[2])
redis.call('HSET', KEYS[1], 'next', string.format('%.0f', now + tonumber(ARGV[1])))
local at = 2
for k = 2, #KEYS do
  local calls = tonumber(ARGV[at])
  redis.call('DEL', KEYS[k])
  for i = 1, calls do redis.call('LPUSH', KEYS[k], string.format('%.0f', now - tonumber(ARGV[at + i]))) end
  at = at + calls + 1
end
return 1
`;

/** Shuts the gate for a time from now; a gate that is shut for longer stays so. KEYS: the pace; ARGV: how long. */
export const holdScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local gate = tonumber(redis.call('HGET', KEYS[1], 'gate') or 0)
local wanted = now + tonumber(ARGV[1])
if wanted > gate then redis.call('HSET', KEYS[1], 'gate', string.format('%.0f', wanted)) end
return string.format('%.0f', math.max(gate, wanted) - now)
`;

/** Puts a value in the place of another one, if that is still there. KEYS: the hash; ARGV: field, old (empty for none), new. */
export const replaceScript = `
local present = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if present ~= ARGV[2] then return present end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return ARGV[3]
`;
