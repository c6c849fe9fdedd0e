-- Takes slots. ARGV: how many slots; the latest slot wanted, from now; T of the first window; the slack; then `limit,
-- W` of each further window; the time. Returns the time, the pace's name, the wait until the slot that was not given
-- (-1 when all were), and the slots; or only the time when there is no pace yet.
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
