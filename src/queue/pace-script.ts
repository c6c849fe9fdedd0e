// The Lua scripts that keep the pace in Redis.
import { longestThrottle } from '../core/call/throttle.ts';

/**
 * The pace as steps in Redis, on Redis' own clock: the arithmetic of core/pacing.ts (a property test compares
 * the two). Times are microseconds.
 *
 * In `KEYS`: the pace, then one list per further window, newest slot first. The pace is a hash: `pace` (its name: a
 * pace that was lost and begun again has another one), `next`, `gate`, `why` (the gate is shut), `condition`, its clock: `seen` and `shift`,
 * and `server`: the run of Redis in which it began.
 * In `ARGV` the last is always the time, empty for Redis' clock; it is for tests.
 */

/**
 * The clock of a pace never goes back: where Redis' clock was set back, or another machine took over, everything that
 * was promised for a time would wait as long as that. What is missing is added from then on.
 * A pace is lost when Redis was started again, or another one took over: what it has may be older than the last calls.
 */
const clock = `
local function whole(number) return string.format('%.0f', number) end
local function readClock()
  local time = redis.call('TIME')
  local now = tonumber(ARGV[#ARGV]) or (time[1] * 1000000 + time[2])
  local known = redis.call('HMGET', KEYS[1], 'seen', 'shift', 'server')
  local seen, shift = tonumber(known[1] or 0), tonumber(known[2] or 0)
  if now + shift < seen then
    shift = seen - now
    redis.call('HSET', KEYS[1], 'shift', whole(shift))
  end
  local server = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
  if known[3] ~= server then redis.call('HDEL', KEYS[1], 'pace') end
  redis.call('HSET', KEYS[1], 'seen', whole(now + shift), 'server', server)
  return now + shift
end
`;

/** A gate is never shut for longer than the longest throttle: one that is was shut by a wrong clock, and counts from now. */
const gate = `
local function readGate(now)
  local gate = tonumber(redis.call('HGET', KEYS[1], 'gate') or 0)
  local latest = now + ${longestThrottle} * 1000
  if gate > latest then
    gate = latest
    redis.call('HSET', KEYS[1], 'gate', whole(gate))
  end
  return gate
end
`;

/**
 * What every process must know before it calls. ARGV: the time. Returns the time, the pace's name, gate and condition, and
 * why the gate is shut.
 */
export const lookScript = `${clock}${gate}
local now = readClock()
local state = redis.call('HMGET', KEYS[1], 'pace', 'condition', 'why')
return { whole(now), state[1] or '', whole(readGate(now)), state[2] or '', state[3] or '' }
`;

/**
 * Takes slots. ARGV: how many slots; the latest slot wanted, from now; T of the first window; the slack; then `limit,
 * W` of each further window; the time. Returns the time, the pace's name, the wait until the slot that was not given
 * (-1 when all were), and the slots; or only the time when there is no pace yet.
 */
export const reserveScript = `${clock}${gate}
local now = readClock()
local count, ahead, spacing, slack = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call('HMGET', KEYS[1], 'pace', 'next')
if not state[1] then return { whole(now) } end
local next, gate = tonumber(state[2]), readGate(now)
local result = { whole(now), state[1], '-1' }
for i = 1, count do
  local slot = math.max(now, next, gate)
  for k = 2, #KEYS do
    local limit, length = tonumber(ARGV[2 * k + 1]), tonumber(ARGV[2 * k + 2])
    local oldest = redis.call('LINDEX', KEYS[k], limit - 1)
    if oldest then slot = math.max(slot, tonumber(oldest) + length + slack) end
  end
  if slot - now > ahead then
    result[3] = whole(slot - now)
    break
  end
  next = slot + spacing
  result[#result + 1] = whole(slot)
  for k = 2, #KEYS do
    redis.call('LPUSH', KEYS[k], whole(slot))
    redis.call('LTRIM', KEYS[k], 0, tonumber(ARGV[2 * k + 1]) - 1)
  end
end
redis.call('HSET', KEYS[1], 'next', whole(next))
return result
`;

/**
 * Begins a pace where there is none. ARGV: its name; the wait before the first slot; for each further window the number
 * of calls that still count and how long ago each was, the newest last; the time.
 */
export const beginScript = `${clock}
if redis.call('HEXISTS', KEYS[1], 'pace') == 1 then return 0 end
local now = readClock()
redis.call('HSET', KEYS[1], 'pace', ARGV[1], 'next', whole(now + tonumber(ARGV[2])))
local at = 3
for k = 2, #KEYS do
  local calls = tonumber(ARGV[at])
  redis.call('DEL', KEYS[k])
  for i = 1, calls do redis.call('LPUSH', KEYS[k], whole(now - tonumber(ARGV[at + i]))) end
  at = at + calls + 1
end
return 1
`;

/**
 * Shuts the gate for a time from now; a gate that is shut for longer stays so. ARGV: how long; why; the time.
 * Returns the time, until when it is shut, and why.
 */
export const holdScript = `${clock}${gate}
local now = readClock()
local gate = readGate(now)
local wanted = now + tonumber(ARGV[1])
if wanted > gate then redis.call('HSET', KEYS[1], 'gate', whole(wanted), 'why', ARGV[2]) end
return { whole(now), whole(math.max(gate, wanted)), redis.call('HGET', KEYS[1], 'why') or '' }
`;

export const openScript = `redis.call('HDEL', KEYS[1], 'gate', 'why')`;

/** Puts a value in the place of another one, if that is still there. KEYS: the hash; ARGV: field, old (empty for none), new. */
export const replaceScript = `
local present = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if present ~= ARGV[2] then return present end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return ARGV[3]
`;
