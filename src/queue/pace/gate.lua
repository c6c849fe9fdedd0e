-- A gate is never shut for longer than the longest throttle: one that is was shut by a wrong clock, and counts from now.
local function readGate(now)
  local gate = tonumber(redis.call('HGET', KEYS[1], 'gate') or 0)
  local latest = now + longestThrottle * 1000
  if gate > latest then
    gate = latest
    redis.call('HSET', KEYS[1], 'gate', whole(gate))
  end
  return gate
end
