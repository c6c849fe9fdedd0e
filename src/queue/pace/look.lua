-- What every process must know before it calls. ARGV: the time. Returns the time, the pace's name, gate and condition, and
-- why the gate is shut.
local now = readClock()
local state = redis.call('HMGET', KEYS[1], 'pace', 'condition', 'why')
return { whole(now), state[1] or '', whole(readGate(now)), state[2] or '', state[3] or '' }
