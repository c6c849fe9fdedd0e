-- Begins a pace where there is none. ARGV: its name; the wait before the first slot; for each further window the number
-- of calls that still count and how long ago each was, the newest last; the time.
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
