-- The pace as steps in Redis, on Redis' own clock: the arithmetic of core/pacing.ts (a property test compares the two).
-- Times are microseconds. Every other script here begins with this one.
--
-- In `KEYS`: the pace, then one list per further window, newest slot first. The pace is a hash: `pace` (its name: a
-- pace that was lost and begun again has another one), `next`, `gate`, `why` (the gate is shut), `condition`, its
-- clock: `seen` and `shift`, and `server`: the run of Redis in which it began.
-- In `ARGV` the last is always the time, empty for Redis' clock; it is for tests.
--
-- The clock of a pace never goes back: where Redis' clock was set back, or another machine took over, everything that
-- was promised for a time would wait as long as that. What is missing is added from then on.
-- A pace is lost when Redis was started again, or another one took over: what it has may be older than the last calls.
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
