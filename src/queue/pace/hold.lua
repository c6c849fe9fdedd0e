-- Shuts the gate for a time from now; a gate that is shut for longer stays so. ARGV: how long; why; the time.
-- Returns the time, until when it is shut, and why.
local now = readClock()
local gate = readGate(now)
local wanted = now + tonumber(ARGV[1])
if wanted > gate then redis.call('HSET', KEYS[1], 'gate', whole(wanted), 'why', ARGV[2]) end
return { whole(now), whole(math.max(gate, wanted)), redis.call('HGET', KEYS[1], 'why') or '' }
