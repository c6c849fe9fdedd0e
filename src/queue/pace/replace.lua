-- Puts a value in the place of another one, if that is still there. KEYS: the hash; ARGV: field, old (empty for none), new.
local present = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if present ~= ARGV[2] then return present end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return ARGV[3]
